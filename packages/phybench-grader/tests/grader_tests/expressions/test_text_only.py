"""A statement needs no figure: what sends its reader to one, and what only sounds like it."""

import pytest

from phybench_grader.reading.rules import check_statement

SENDS_TO_A_FIGURE = (
    "Consider the circuit below.",
    "The graph shows the force on the block.",
    "The pressure varies as plotted below.",
    "Take the setup pictured.",
    "In the arrangement shown, two springs hold a mass.",
    "The rod, as pictured, is bent.",
    "See Fig. 3 for the angles.",
    "The diagram above gives the speeds.",
    "Refer to the attached sketch.",
    "Read the slope from the graph.",
    "Consider the circuit below; its coil has inductance $L$.",
    "The current is shown below",
    "![](data:image/png;base64,AAAA)",
    "data:image/svg+xml;utf8,x",
    "如右图，小球由静止释放。",
    "右图是一个电路。",
    "由图可知，弹簧被压缩。",
    "图示电路中，电阻为 $R$。",
    "如图所示",
    "图 2 给出了力。",
    "装置的示意图如下。",
    "题图中，杆长为 $l$。",
    "图中所示的杆",
    "Take the rod in the figure on the right.",
    "The diagram to the left is to scale.",
    "The illustration shows a wedge.",
    "siehe Abbildung 3",
    "Die Schaltung ist in der Skizze gezeigt.",
    "Voir la figure.",
    "Le circuit ci-contre est fermé.",
    "como se ve en la figura",
    "показано на рисунке",
    "右図のように",
)
ONLY_SOUNDS_LIKE_IT = (
    "The field lines lie in the diagram plane.",
    "Find the figure of merit from the figure of merit of each part.",
    "The object stands in the image plane of the first lens.",
    "Replace the plane by the image charge; the force comes from the image charge.",
    "The plate is at rest below the table, and the coil hangs above the ring.",
    "The response of the circuit above $\\omega_0$ falls off.",
    "It draws a current $I$; the circuit below the bridge is open.",
    "A picture of the star is taken in the light of one line.",
    "The graph of $y = x^2$ turns about its axis.",
    "Between the apparatus above the floor and the wall is a gap.",
    "He intends to draw water from the well.",
    "The picture on the left wall hangs by a thread.",
    "The configuration shown to be stable has the lowest energy.",
    "在 $p$-$V$图中，该过程为直线。",
    "在p-V图中为一条直线，在相图中为一点。",
    "他的意图是测量 $g$。",
    "卫星地图中的距离为 $d$。",
    "小球在水平面上运动。",
    "试图中断电流的开关。",
)


@pytest.mark.parametrize("statement", SENDS_TO_A_FIGURE)
def test_what_sends_to_a_figure_is_found_in_every_language(statement: str) -> None:
    assert {rule.code for rule in check_statement(statement)} & {"figure", "image"}


@pytest.mark.parametrize("statement", ONLY_SOUNDS_LIKE_IT)
def test_what_only_sounds_like_a_figure_is_let_through(statement: str) -> None:
    assert check_statement(statement) == []
