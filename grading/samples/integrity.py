"""What holds of what people say of answers: that they were shown the key is written down."""

from django.db.models import Exists, OuterRef

from curation.problems.exposures.models import Exposure
from grading.samples.audits.models import AuditAdjudication, AuditLabel
from grading.samples.first_errors.models import FirstErrorAdjudication, FirstErrorLabel
from grading.samples.labels.models import Ruling
from phybench.work.integrity import Invariant, register, those

SAYS = "was given beside the key, but that its person was shown it is not written down"
_shown = Exposure.objects.filter(part=Exposure.Part.ANSWER)


register(
    Invariant(
        # What a file brought was said elsewhere.
        Ruling.objects.filter(label_file=None),
        those(
            ~Exists(
                _shown.filter(person=OuterRef("ruled_by"), revision=OuterRef("attempt__revision"))
            )
        ),
        SAYS,
    ),
    *(
        Invariant(
            model._default_manager.all(),
            those(
                ~Exists(_shown.filter(person=OuterRef("person"), revision=OuterRef("item__key")))
            ),
            SAYS,
        )
        for model in (AuditLabel, AuditAdjudication, FirstErrorLabel, FirstErrorAdjudication)
    ),
)
