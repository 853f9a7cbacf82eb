"""What reviewers and authors write to each other beside the reviews, and reviewers to admins."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Problem
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.texts.passages import Passage
from phybench.people.models import User
from phybench.work.triggers import require


class ThreadPart(models.TextChoices):
    """What of a problem a thread is about."""

    PROBLEM = "PROBLEM", _("the problem as a whole")
    STATEMENT = "STATEMENT", _("statement")
    ANSWER = "ANSWER", _("reference answer")
    SOLUTION = "SOLUTION", _("solution")


PASSAGES = (ThreadPart.STATEMENT, ThreadPart.SOLUTION)
"""The parts of which a passage can be quoted."""
KEY_PARTS = (ThreadPart.ANSWER, ThreadPart.SOLUTION)
"""The parts that only those may read of who may see the key."""


class ThreadQuerySet(models.QuerySet["Thread"]):
    def of_problem(self, problem: Problem) -> Self:
        return self.filter(round__revision__problem=problem)


class Thread(models.Model):
    """One matter that a reviewer raises: of a passage, of the answer, or of the whole problem."""

    round = models.ForeignKey(ReviewRound, on_delete=models.PROTECT, related_name="threads")
    opened_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="threads")
    part = models.CharField(max_length=20, choices=ThreadPart, default=ThreadPart.PROBLEM)
    quote = models.TextField(blank=True)
    prefix = models.TextField(blank=True, help_text=_("The text before the quote."))
    suffix = models.TextField(blank=True, help_text=_("The text after the quote."))
    start = models.PositiveIntegerField(default=0, help_text=_("In the source, in characters."))
    end = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ThreadQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="thread_part_is_known", condition=Q(part__in=ThreadPart.values)
            ),
            models.CheckConstraint(
                name="thread_quotes_where_there_are_passages",
                condition=(Q(part__in=PASSAGES) & ~Q(quote=""))
                | (~Q(part__in=PASSAGES) & Q(quote="", prefix="", suffix="", start=0, end=0)),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="thread_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.part} of {self.round}"

    @property
    def passage(self) -> Passage:
        return Passage(self.quote, self.prefix, self.suffix, self.start, self.end)


class Comment(models.Model):
    """
    What somebody wrote in a thread.

    The round is the one it was written in: others read it when they may read that round's reviews.
    """

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="comments")
    round = models.ForeignKey(ReviewRound, on_delete=models.PROTECT, related_name="comments")
    writer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="comments")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(name="comment_says_something", condition=~Q(text=""))]
        triggers = [
            pgtrigger.Protect(
                name="comment_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "comment_is_of_a_round_over_its_threads_problem",
                when=pgtrigger.Q(new__round__isnull=False),
                found="""
                    SELECT FROM curation_thread AS thread
                    JOIN curation_reviewround AS begun ON begun.id = thread.round_id
                    JOIN curation_revision AS first ON first.id = begun.revision_id
                    JOIN curation_revision AS this ON this.problem_id = first.problem_id
                    JOIN curation_reviewround AS round ON round.revision_id = this.id
                    WHERE thread.id = NEW.thread_id AND round.id = NEW.round_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.writer} in {self.thread}"


class ThreadStep(models.Model):
    """A thread was resolved, or opened again; the newest step counts."""

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="steps")
    is_resolved = models.BooleanField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        triggers = [
            pgtrigger.Protect(
                name="thread_step_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.thread}: {'resolved' if self.is_resolved else 'opened again'}"


class ReviewResponse(models.Model):
    """What a problem's writers say to a review's comment: that it is done, or why not."""

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="responses")
    writer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    is_done = models.BooleanField(help_text=_("Changed as the review asked; the newest counts."))
    text = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        triggers = [
            pgtrigger.Protect(
                name="review_response_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            )
        ]

    def __str__(self) -> str:
        return f"{self.writer} to {self.review}"


class AdminNote(models.Model):
    """What a reviewer tells the admins alone."""

    round = models.ForeignKey(ReviewRound, on_delete=models.PROTECT, related_name="admin_notes")
    writer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="admin_notes")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="admin_note_says_something", condition=~Q(text=""))
        ]
        triggers = [
            pgtrigger.Protect(
                name="admin_note_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.writer} on {self.round}"
