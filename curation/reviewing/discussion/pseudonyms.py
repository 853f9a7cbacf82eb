"""What the people who reviewed a problem are called to a reader: the same on all of a page."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.problems.permissions import is_writer
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.actions import Readable
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound
from curation.reviewing.rounds.permissions import choose_readable
from phybench.people.models import User
from phybench.people.permissions import can_see_names, is_admin


class Pseudonyms:
    """
    Names of reviewers for admins; for others their numbers, in the order in which they spoke.

    Who said nothing that the reader may read is not counted: a gap would tell of them.
    """

    def __init__(
        self, user: User, problem: Problem, listed: Iterable[Readable] | None = None
    ) -> None:
        """
        Args:
            listed: the threads that `user` may read, where they are fetched already.
        """
        self.reader = user
        self.problem = problem
        self.shows_names = can_see_names(user)
        if listed is None:
            listed = [] if self.shows_names else commenting.list_threads(user, problem)
        self.numbers = {} if self.shows_names else self._number(listed)

    def say(self, person: User) -> str:
        if person == self.reader:
            return _("you")
        if self.shows_names or is_writer(person, self.problem):
            return str(person)
        # An admin who reviewed is a reviewer in all of it.
        if person.pk in self.numbers:
            return _("reviewer %(number)d") % {"number": self.numbers[person.pk]}
        return _("an admin") if is_admin(person) else _("a reviewer")

    def _number(self, listed: Iterable[Readable]) -> dict[int, int]:
        rounds = ReviewRound.objects.filter(revision__problem=self.problem)
        readable = choose_readable(self.reader, self.problem, rounds)
        solves = BlindSolve.objects.filter(round__in=readable)
        reviews = Review.objects.filter(round__in=readable)
        said = [*solves.values_list("solved_at", "reviewer")]
        said += reviews.values_list("submitted_at", "reviewer")
        for one in listed:
            said += [
                (comment.at, comment.writer_id)
                for comment in one.comments
                if self._may_be_numbered(comment.writer)
            ]
            if one.step and self._may_be_numbered(one.step.by):
                said.append((one.step.at, one.step.by_id))
        people = dict.fromkeys(person for _at, person in sorted(said) if person != self.reader.pk)
        return {person: number for number, person in enumerate(people, start=1)}

    def _may_be_numbered(self, person: User) -> bool:
        return not (is_admin(person) or is_writer(person, self.problem))
