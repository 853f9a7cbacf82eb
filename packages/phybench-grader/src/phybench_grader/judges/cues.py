"""
Words that make a statement less than definite, in English, German, Finnish and Chinese.

They only ever hold the deterministic stage back: where one is met, it does not decide. So a word
too many costs a call to a model, and a word too few may cost a wrong verdict.
"""

import re


def _compile(words: str, other: str = "") -> re.Pattern[str]:
    choices = "|".join(words.split())
    return re.compile(rf"\b(?:{choices})\b" + (f"|{other}" if other else ""), re.IGNORECASE)


_WRITING = (
    r"(?:answer|solution|version|reply|note|proof|result|key|text|edition|guess|claim|statement"
    r"|calculation|argument|idea|thought|opinion|view)(?:e?s)?"
)
"""What a statement may itself be: said of it, “old” and “reverse” take from it."""
_OLD = (
    r"(?<!year )(?<!year-)(?<!years )(?<!years-)(?<!months )(?<!weeks )(?<!days )\bold\b"
    rf"|\b{_WRITING}\b[^.\n]{{0,60}}\bold\b|\bold\s{_WRITING}\b"
)
"""“Old”, but for an age: whoever is eight years old is nobody's old answer."""
_REVERSE = rf"(?<!\ba )\breverse\b|\breverse (?:of|day|{_WRITING})\b"
"""“Reverse”, but for a kind of thing, such as a reverse gear."""

NEGATION = _compile(
    r"""not never no none neither nor cannot without nothing nobody anything opposite contrary
    except excluding exclude[sd]? eliminate[sd]? reject(?:s|ed)? discard(?:s|ed)? rules? ruled
    unlike different differs? wrong incorrect(?:ly)? false(?:ly)? impossible avoid
    nicht kein\w* keineswegs nie niemals weder falsch ohne ei eivät eikä väärin väärä ilman""",
    r"n['’]t\b|\bcan\s?not\b|不|没|非|错|\\neg|\\lnot|\\neq?\b|\\not\b|≠|¬|~~|\\x?cancel|\\sout",
)
HEDGE = _compile(
    r"""maybe perhaps probably possibly presumably likely might may could would should seems?
    appears? guess\w* unsure uncertain unclear unknown approximately approx around roughly nearly
    almost about doubt\w* or either sure think believe suspect feel estimate\w*
    vielleicht wahrscheinlich vermutlich möglicherweise könnte\w* dürfte ungefähr etwa oder
    ehkä luultavasti kenties noin tai voisi saattaa""",
    r"或|可能|也许|大概|约|≈|\\approx|\\sim|[?？]",
)
CONDITION = _compile(
    r"""if unless when whenever provided assuming assume[sd]? suppose[sd]? supposing depend\w* only
    otherwise case cases while where until hypothetical\w* imagine pretend let
    wenn falls sofern solange angenommen jos mikäli kun oletetaan""",
    "如果|若|当|假设",
)
ATTRIBUTION = _compile(
    r"""says? saying said claims? claimed argues? argued thinks? told tells? writes? wrote written
    students? teachers? pupils? friends? someone somebody people others? another according
    expected example examples instance mistak\w+ errors? naive careless tempt\w+ trap distractors?
    quot\w+ book key alleged\w* supposed\w* pretended they your his her their
    sagt sagte behauptet laut angeblich schreibt sanoo väittää mukaan""",
    r"e\.g\.|有人|据说",
)
STAGED = _compile(
    r"""students? someone somebody people suppose imagine pretend hypothetical\w* assume assuming
    example examples naive careless tempt\w+ wrong mistak\w+ incorrect\w* case
    solver according everything nothing joke opposite
    ignore user users believes? attempts? try tries tried initially previous(?:ly)? earlier
    instead follows following below decoy test draft drafts quote quoted discarded
    backwards? mirror\w* sarcas\w* ironic\w* irony kidding crossed lie lying
    worst least runner-up
    jok\w+ satir\w* bluff\w* jest\w* myths? refuted disagree\w* scherz\w* vitsi\w*
    angenommen beispiel jemand falsch zuerst gelogen lüge\w* umgekehrt rückwärts folgend\w*
    oletetaan esimerkki joku aluksi valhe\w* seuraava\w* takaperin päinvastoin""",
    r"\bwould (?:say|write|answer)|\bmight (?:say|think|write|answer)|\bat first\b|\bnext line\b"
    rf"|\bnot to\b|e\.g\.|例如|有人|错|玩笑|反话|谎|相反|假设|如果|{_OLD}|{_REVERSE}",
)
"""Words in the sentence before a statement that make it somebody else's, or no statement at all."""

FROM_AFAR = re.compile(
    r"""\b(?:sarcas\w*|ironic\w*|kidding|backwards)\b
    |\b(?:is|was)\ (?:what|how)\b[^.!?\n]{0,80}\b(?:wrote|writes|said|says|answered|put)\b
    |\b(?:handed|turned|sent)\ (?:this|it)\ in\b
    |\b(?:all|everything|anything|whatever)\ (?:that\ )?i\ (?:say|write|give)\b
    |\bfrom\ (?:here|now)\ on\b|\bwhat\ (?:follows|comes\ (?:now|next))\b
    |\bi(?:\ will|['’]ll|\ shall|\ must|\ am\ going\ to)\ (?:now\ )?
     (?:lie|pretend|joke|mislead)\b
    |(?:(?<=[.!?]\ )|\A)[*_]*+(?:suppose|imagine|pretend)\b|\breads?\ (?:thus|so|as\ follows)\b
    |反话|说谎|以下是?错""",
    re.IGNORECASE | re.VERBOSE,
)
"""What makes all that stands below it somebody else's, or not meant, sentences later as well."""

NOT_MEANT = _compile(
    r"lie lying jok\w+ satir\w* bluff\w* jest\w* kidding sarcas\w* irony ironic\w*"
)
"""Words of a reason in an answer's own sentence by which it is not meant."""

DENIES = re.compile(
    r"\A\W*(?:(?:not|definitely|surely|certainly|anything|nothing|this|that|it|these|those|das|dies|es|se|tämä)\b|这|那)",
    re.IGNORECASE,
)
"""How a sentence begins that may deny what stands behind it."""

INSTRUCTION = re.compile(
    r"""\A[\s*_]*(?:then\ |please\ |now\ )?(?:add|take|swap|subtract|double|halve|spell|read|reverse
    |multiply|divide|replace|change|exchange|flip|turn|invert|negate|shift|move)\b[^.!?\n]*
    \b(?:it|its|this|below|next|what\ (?:i|follows|comes)
    |(?:the|my|each|every)\ (?:answer|letter|digit)s?)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What tells a reader to make something else of the statement behind it."""

GROUNDS = re.compile(
    r"""\baccording\ to\ (?:this|the|our)\ (?:given\ )?
    (?:question|problem|puzzle|table|diagram|graph|figure|ordering|premises|clues|rules)(?=,)""",
    re.IGNORECASE | re.VERBOSE,
)
"""What is given, which a “so” may rest on: behind it a conclusion is the response's own."""

_PEOPLE = r"(?:an?|the|most|many) (?:\w+ )?(?:person|people|reader|speaker|listener)s?"
ASKED_OF_PEOPLE = re.compile(
    rf"\bwould {_PEOPLE} (?:answer|say|think|judge|respond|agree|understand|interpret)\b",
    re.IGNORECASE,
)
"""A question for what people would say: what they would say is then the response's own answer."""
SAID_BY_PEOPLE = re.compile(
    rf"\b{_PEOPLE} would (?:(?:typically|usually|normally|likely|probably) )?"
    r"(?:assume|say|answer|think|believe|conclude|agree)\b",
    re.IGNORECASE,
)
SPEAKS_OF_ITSELF = _compile(
    """i me my you your answers? reply replies responses? solutions? next below here follow\\w*
    this these those words? deductions? conclusions? reasoning thoughts? claims? please
    digits? letters?"""
)
"""Words of a sentence that may be about the answer itself, and not about what was asked."""

SPOKEN = _compile("says said claims claimed lie lies sagt sagte lügt sanoo valehtelee")
"""Words of the same kind that are common in puzzles: a “so” behind them is the response's own."""

FRAME = _compile(
    r"""wrong incorrect mistak\w+ students? friends? someone examples? quotes? quoted drafts?
    attempts? previous(?:ly)? earlier discarded opposite reverse decoy not never instead rather
    joke template format sample pitfalls? naive myths? hypothes[ie]s candidates? prompts? shortcuts?
    opponents? reviewers? refuted rejected counterexamples? misconceptions?
    falsch\w* beispiel fehler väärä esimerkki virhe""",
    f"错误|例如|{_OLD}",
)
"""Words in a heading, or a line that ends with a colon, that make what follows no answer."""

_TAKEN_BACK = "wait actually hmm+ correction oops sorry reconsider\\w* recheck\\w* scratch"
TAKEN_BACK = _compile(f"{_TAKEN_BACK} korrektur korjaus hetkinen", r"等等|更正|不对")
"""Words that do nothing else in a response than take back what it said before."""
CORRECTION = _compile(
    rf"""{_TAKEN_BACK} correct(?:ed|ing) rather instead mistaken? mistake forgot missed revis\w+
    reflection edit moment korrektur halt stimmt korjaus hetkinen""",
    r"等等|更正|不对",
)
"""
Words that may take back a statement that they stand beside. Elsewhere one may edit a film and miss
a bus.
"""
RETRACTION = re.compile(
    r"""(?:\A|[,;:!?—–(-]\s)[\s*_"“(]*(?:(?:oh|but|no|nein|ei)\b[\s,.!—–-]{0,5}){0,4}
    (?:wait(?!(?:\ \w+){0,2}\ (?:for|until|till)\b)|actually|hmm+|oops|sorry|hold\ on
    |correction|corrected|revised|edit|instead
    |on\ reflection|moment|halt|korrektur|korjaus|hetkinen|scratch\ (?:that|this|it))\b
    | \b(?:reconsider|recheck)\w*|\btake\ (?:it|that|this)\ back\b
    | \b(?:i|we|my|our)\b[^.!?\n]{0,40}\b(?:misread|miscounted|mistaken?|mistakes?)\b
    | \b(?:i|we)\b[^.!?\n]{0,40}\b(?:forgot|missed|overlooked)\b[^.!?\n]{0,40}
      \b(?:signs?|factors?|terms?|steps?|cases?|parts?|options?|words?|digits?|lines?|conditions?|minus
      |one|units?|details?|points?|something|that|this|to)\b
    | 等等|更正|不对""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a sentence takes back a statement beside it: not every wait, edit or miss is one."""
RUN_ON = re.compile(
    r"(?:^|(?<=[.!?。]\s))[ \t]*(?:[#>*]+[ \t]*)?(?:\*\*)?(?:Q|Question|(?:Next|New) question|Human"
    r"|User|Frage|Kysymys|问题|问)(?:\*\*)?[ \t]*[:：]",
    re.MULTILINE,
)
"""
Where a response that should be over invents a question of its own. Numbered ones may be the parts
into which it took the question.
"""

AFTERTHOUGHT = _compile(
    r"""but however yet though although nevertheless nonetheless still contradict\w* conflict\w*
    doubl\w* flip\w* made invent\w* random\w* twice half halve\w* then afterwards later next
    remain\w* plus minus add\w* subtract\w*
    real really true actual pick\w* choose\w* chose chosen select\w* swap\w* switch\w* exchang\w*
    mirror\w* neighbou?rs? above below
    aber doch jedoch allerdings dann noch mutta kuitenkin vielä sitten""",
    "但|然而|不过|然后",
)
"""Words that carry a text on from an answer to something else."""

DOUBTS = (
    ("negation", NEGATION),
    ("hedge", HEDGE),
    ("condition", CONDITION),
    ("attribution", ATTRIBUTION),
)

CLOSINGS = re.compile(
    r"""(?:i\ )?hope\ (?:this|that)\ helps(?:\ you)?[.!]
    | i\ hope\ (?:that\ )?(?:this|that|it)\ is\ (?:correct|right|clear|helpful|of\ help)[.!]
    | (?:please\ )?let\ me\ know\ if\ you\ (?:have|need)\ any\ (?:other\ |further\ |more\ )?
      (?:questions?|help)[.!]
    | (?:please\ )?feel\ free\ to\ ask(?:\ (?:if\ anything\ is\ unclear|me)|
      \ any(?:thing|\ (?:other\ |further\ |more\ )?questions?))?[.!]
    | (?:thank\ you|thanks)[.!] | have\ a\ (?:nice|great)\ day[.!] | good\ luck[.!]
    | q\.?e\.?d\b\.? | ∎""",
    re.IGNORECASE | re.VERBOSE,
)
"""Sentences of courtesy, which say nothing of the answer."""

EXPLAINS = re.compile(
    r"(?:this|that|it)\s+(?:is|follows)\s+(?:because|since|from)\b|because\b|since\b"
    r"|(?:explanation|reasoning|reason|justification|why)\s*[:：]|weil\b|denn\b|koska\b",
    re.IGNORECASE,
)
"""How a text goes on that gives reasons for the answer it has given."""


LOOKS_BACK = _compile(
    "your yours slip",
    r"\b(?:once|yet) (?:more|again)\b|\blook (?:at|again)\b|\b(?:would|should|did) i\b"
    r"|\byou (?:said|gave|wrote|chose|put|have|had|were|are)\b|再|你的",
)
"""Words of a longer question by which it speaks of the answer, or to whoever gave it."""

SECOND_THOUGHT = _compile(
    r"""sure certain right correct really wrong mistake\w* mistaken check\w* again no it that this
    about why option sicher richtig nein varma oikein ei""",
    r"确定|对吗|\([A-Z]\)",
)
"""Words of a short question that may be about the answer just given: “Are you sure?”."""


def find_doubt(text: str) -> str | None:
    """
    Name the first kind of doubt that a text casts on a statement in it, if there is any.

    >>> find_doubt("I don't think so"), find_doubt("So we find")
    ('negation', None)
    """
    for name, pattern in DOUBTS:
        if pattern.search(text):
            return name
    return None
