"""Words and commands by what they tell the reader, where they are neither symbol nor function."""

from __future__ import annotations

from phybench_grader.numbers.symbols import split_words

REFUSED = {
    "sum": "sum", "prod": "sum", "bigcup": "sum", "bigcap": "sum", "coprod": "sum",
    "int": "integral", "lim": "limit", "limsup": "limit", "liminf": "limit",
    "partial": "derivative", "nabla": "derivative",
    "pm": "several", "mp": "several", "lor": "several", "land": "several", "vee": "several",
    "wedge": "several", "\\": "several", "newline": "several", "cup": "several",
    "ldots": "dots", "infty": "infinity",
    "matrix": "matrix", "pmatrix": "matrix", "bmatrix": "matrix", "vmatrix": "matrix",
    "cases": "piecewise", "end": "environment",
    "SI": "units", "si": "units", "unit": "units", "qty": "units", "%": "units", "circ": "units",
}  # fmt: skip
"""Commands that cannot be part of an answer, and the reason to give."""

ENVIRONMENTS = {
    "cases": "piecewise", "dcases": "piecewise", "rcases": "piecewise", "matrix": "matrix",
    "pmatrix": "matrix", "bmatrix": "matrix", "vmatrix": "matrix", "Vmatrix": "matrix",
    "Bmatrix": "matrix", "smallmatrix": "matrix", "array": "matrix",
}  # fmt: skip
r"""What `\begin{…}` of these is; any other is an "environment"."""

EQUALITIES = frozenset({"=", "equiv", "triangleq", "coloneqq", "doteq"})
"""Signs that may stand between a name and its expression."""
APPROXIMATIONS = frozenset({"approx", "simeq", "cong", "approxeq", "thickapprox"})
"""Signs that may stand between an expression and one that is nearly it."""
ARROWS = frozenset({"to", "rightarrow", "longrightarrow"})
"""Signs of a limit; between a name and its value they say nearly the same as ≈."""
CONCLUSIONS = frozenset({
    "Rightarrow", "implies", "iff", "Leftrightarrow", "Longrightarrow", "Longleftrightarrow",
    "therefore",
})  # fmt: skip
"""Signs after which a new statement begins."""
OTHER_RELATIONS = frozenset({
    "<", ">", "le", "ge", "ne", "sim", "propto", "leftrightarrow", "ll", "gg", "lesssim", "gtrsim",
    "leqslant", "geqslant", "in", "because", "colon", "lt", "gt", "notin", "not",
})  # fmt: skip
"""Signs that give no value to what stands before them."""
RELATIONS = EQUALITIES | APPROXIMATIONS | ARROWS | CONCLUSIONS | OTHER_RELATIONS
"""Signs that make an equation, an inequality or a chain of steps."""

SEVERAL_WORDS = frozenset({"or", "and", "respectively"})
PROSE = split_words(
    "the is are was where with when while for from then than that this answer final result value "
    "none not undefined unknown cannot units unit since because hence thus given if otherwise "
    "const constant true false null nan inf zero"
)
"""Words that no product of symbols spells."""
LONGEST_PRODUCT = 6
"""Letters typed together beyond this number are a word, not a product of symbols."""

UNITS = split_words(
    "m s kg g cm mm km nm mg ms ns min h hr hour hours N J kJ MJ W kW K A mA V kV C F H T Hz kHz "
    "MHz Pa kPa MPa atm bar mol rad sr eV keV MeV GeV L mL Ohm ohm S Wb lx lm cd deg degree "
    "degrees meter meters metre metres second seconds newton newtons joule joules watt watts "
    "volt volts kelvin kilogram kilograms radian radians coulomb tesla pascal GHz TeV THz fm pm um "
    "mK mJ mW MW mV mH kN kT kcal cal erg amu Gs dyn year years ms ps fs barn Bq Gy Å ft lb kWh "
    "kWhr Wh GW GPa mT nF pF kA torr Torr gram grams"
)
"""Upright words that, after a factor, are units."""

COHERENT_UNITS = split_words(
    "m s kg A K mol cd N J W Pa V C F H T Hz rad sr Ohm ohm Omega Ω S Wb lx lm Bq Gy meter meters "
    "metre metres second seconds newton newtons joule joules watt watts volt volts kelvin kilogram "
    "kilograms radian radians coulomb tesla pascal"
)
"""Units of the SI that go into one another without a factor."""

UNKNOWN_FUNCTIONS = split_words(
    "det div rot curl grad sgn sign arg Arg Res Ai Bi Ci Si Li Ei rank dim mod"
)
"""Upright words that before a bracket are functions which are not known here."""

OR_WORDS = split_words("or oder bzw 或 或者")
AND_WORDS = split_words("and und respectively 和 与 且 以及 及")
WRONG_WORDS = split_words("wrong incorrect false falsch 错误")
CORRECTING_WORDS = split_words(
    "wait correction correcting corrected sorry oops mistake mistaken forgot actually "
    "revised revision edit korrektur eigentlich 更正 纠正 修正 不对 等等 其实"
)
"""Words behind an answer that take it back: what is said then counts."""
RETRACTIONS = WRONG_WORDS | CORRECTING_WORDS | split_words("instead rather naive no not")
"""Words between two answers that leave the last alone."""
ADMISSIONS = ("was wrong", "an error", "hold on")
"""Phrases that take an answer back."""
CONTRASTING_WORDS = split_words(
    "but however yet instead should alternatively final finally precisely correct correctly "
    "maybe perhaps possibly aber doch sondern vielleicht "
    "应为 应该 应是 改为 正确 但 最终 而是"
)
"""Words right before another value of the same quantity that put it in the answer's place."""
RIGHT_WORDS = split_words("correct right true answer solution richtig 正确 对 答案")
"""Words that, denied, say that an answer is wrong."""
WANTING_WORDS = split_words("want wanted asked need needed seek sought looking")
"""Words of what is asked for: “not what we want”."""
NEGATIONS = WRONG_WORDS | split_words(
    "not never nicht kein keine keinen cannot isn doesn unequal neither nor 不 非 并非 不是"
)
DEFINING_WORDS = split_words("where with wobei mit let denoting 其中 式中 这里 设")
CONDITION_WORDS = split_words(
    "for at when if unless as provided assuming whenever while during inside outside valid in "
    "under independent regardless für bei wenn falls sofern 当 若 如果 在 对于 时"
)
CASE_WORDS = split_words("otherwise else sonst andernfalls 否则")
CONCLUDING_WORDS = split_words(
    "thus hence therefore so then giving gives yields implies consequently also folglich daher "
    "somit 所以 因此 故 则 得 于是"
)
FILLERS = split_words(
    "which is are this that holds hold valid only true both it we and but there the exists exactly "
    "either get have obtain finally"
)
"""Words that may stand before a keyword or behind a joining word and say nothing."""
FORM_WORDS = split_words(
    "ie equivalently alternatively namely viz gleichbedeutend 即 亦即 也即 等价地 换言之"
)
"""Words between two forms of one answer; `i.e.` is taken for one word."""
TELLING_WORDS = split_words(
    "is are was were has have does can will must cannot serves exists occurs vanishes remains "
    "holds indicates violates describes"
)
"""Words behind a symbol that say something of it and give no value."""
EQUALLING_WORDS = split_words("is equals are equal gleich ist 为 是 等于")
"""Words between a name and its value."""
ANNOUNCING_WORDS = EQUALLING_WORDS | split_words(
    "answer result value solution becomes get obtain have find antwort ergebnis lösung lautet 答案 "
    "答 结果"
)
"""Words after which an answer follows."""
ANNOUNCING_PHRASES = ("equal to", "given by", "simplifies to", "reduces to", "expressed as")
CHANGING_WORDS = split_words(
    "square squared squares cube cubed half twice double triple inverse reciprocal minus "
    "negative times log logarithm derivative opposite third quarter quadrat wurzel hälfte doppelte "
    "kehrwert than below above exceeds proportional 平方 倒数 一半 两倍"
)
"""Words that make another quantity of the one they stand before."""
SCALING_WORDS = split_words(
    "half twice double triple minus plus times third quarter multiplied divided squared cubed per "
    "halved doubled raised mal geteilt halb doppelt"
)
"""Words right beside a formula that scale it."""
SCALING_PHRASES = ("up to", "off by", "apart from", "except for", "to the power")
"""Phrases right behind a formula that scale it."""
BOUNDING_WORDS = split_words("than most least exceeds proportional höchstens mindestens")
"""Words right before a formula that compare with it instead of stating it."""
BETWEEN_WORDS = split_words(
    "of the a an this that its value result answer exactly simply just only really quite equal to "
    "be is was as von der des das die ein"
)
"""What may stand between a formula and a word that denies or scales it."""
PREDICATING_WORDS = EQUALLING_WORDS | split_words(
    "was were be seems looks clearly obviously completely war also"
)
"""Words behind which something is called wrong."""
POINTING_WORDS = split_words("this that it which but however dies das 这 那 但")
"""Words that begin a sentence about the formula before it."""
CHANGING_REMARKS = split_words(
    "times multiplied minus plus divided squared cubed twice double bound wrong means negative "
    "inverse mal geteilt doppelt halb falsch false per half halved doubled opposite sign "
    "factor reverse reversed reduced increased power root reciprocal extra third quarter ratio sum "
    "difference added subtracted most least less greater instead modulo apart except"
)
"""Words of a remark behind a value that make another one of it."""
REMARK_WORDS = split_words(
    "about around relative to directed pointing upward upwards downward downwards inward inwards "
    "outward outwards up down left right "
    "clockwise anticlockwise counterclockwise horizontally vertically radially "
    "tangentially axially along toward towards away perpendicular parallel stable unstable "
    "independent valid achieved attained reached measured taken exactly precisely approximately "
    "eastward westward northward southward nach gerichtet"
)
"""Words with which a remark may begin right behind a value, without a comma."""
LIMIT_WORDS = split_words(
    "reduces simplifies becomes tends approaches general generally limit limiting otherwise exact "
    "exactly approximately leading"
)
"""Words of a remark that gives another value for another case."""
RESCALING_CHINESE = (
    "电子伏",
    "千焦",
    "毫",
    "微米",
    "纳米",
    "厘米",
    "千米",
    "公里",
    "小时",
    "千瓦时",
)
"""Units that are not those of the SI itself."""
CHANGING_CHINESE = ("倍", "一半", "小于", "大于", "至少", "至多", "成正比", "不是", "平方", "倒数")
NO_ANSWERS = (
    r"(?:i )?(?:really |just |honestly |still )?(?:don't|dont|do not|didn't|did not) know"
    r"(?: (?:it|this|that|the answer|(?:how|what|why|which|where)(?: [a-z']+)*))?"
    r"|dunno|idk|(?:i )?(?:have |got )?no (?:idea|clue|answer|solution)(?: found| given)?"
    r"|(?:i am |i'm |im )?not (?:sure|known)|(?:the answer is )?unknown|i give up|unanswered"
    r"|(?:i )?(?:can't|cant|cannot|can not|couldn't|could not)"
    r"(?: (?:solve|answer|do|determine|find|tell|say)"
    r"(?: (?:it|this|that|the (?:answer|problem)))?)?"
    r"|(?:it |this )?(?:can't|cannot|can not) be (?:determined|solved|answered|found)",
    r"(?:ich )?(?:weiß|weiss) (?:es |das )?(?:leider )?nicht|(?:das |es )?(?:weiß|weiss) ich nicht"
    r"|(?:ich habe )?keine (?:ahnung|idee|antwort|lösung)|kein plan|unbekannt|ich gebe auf"
    r"|(?:ich )?kann (?:ich )?(?:es |das )?nicht(?: lösen| beantworten)?"
    r"|(?:ich bin )?(?:mir )?nicht sicher",
    r"(?:minä |mä )?en (?:tiedä|osaa|ole varma)(?: vastausta| sanoa| ratkaista)?|tuntematon"
    r"|ei (?:vastausta|ratkaisua|tietoa|aavistustakaan|hajuakaan)|aavistustakaan|luovutan",
    r"(?:我|本人)?(?:也|真|真的|还)?(?:不知道|不会(?:做|解)?|不清楚|不确定|没有?(?:答案|思路)"
    r"|无法(?:确定|回答|解答|求解)|答不出来?|解不出来?|放弃)(?:答案|怎么做|这道?题)?了?"
    r"|无答案|无解答|未知",
)
"""What says, as a whole, that there is no answer, in each language that people write in."""
TYPED_KEYWORDS = split_words(
    "or and for where when if with not thus hence therefore is the then equivalently alternatively "
    "namely but yet"
)
"""Keywords that are recognised in letters typed plainly, where `as` is as well a product."""
TYPED_PREPOSITIONS = split_words("at as in so per about to")
"""Keywords that are so only with blanks on both sides and where a relation follows."""
LONGEST_UNKNOWN = 4
"""Letters typed together that may be a product of symbols which the problem does not have."""
SPELT_UNITS = split_words(
    "cm km nm Hz kHz MHz GHz eV keV MeV GeV TeV kPa MPa kJ MJ kW kV mol rad kcal cal atm mA"
)
"""Units that are recognised in italics behind an expression."""
MEASURES = (UNITS | {"Omega"}) - {"mg"}
"""Units that are recognised in italics behind a number and a space; a weight `mg` is none."""
UPRIGHT_WORDS = split_words(
    "to of by an on be we as it its has no yes at in so is or if this all but yet"
)
"""Words that no upright symbol spells."""
