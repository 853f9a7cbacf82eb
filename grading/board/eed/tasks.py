"""What workers are asked of EED on a board."""

from grading.board.analyses.kinds import AnalysisKind, register_analysis
from grading.board.eed.collecting import describe_state, find_progress
from grading.board.eed.figures import work_out_eed, work_out_unordered

EED = register_analysis(AnalysisKind("eed", work_out_eed, version=5))
UNORDERED = register_analysis(
    AnalysisKind(
        "unordered",
        work_out_unordered,
        version=3,
        find_more=describe_state,
        is_due=lambda scope, field: find_progress(scope, field).is_complete,
    )
)
