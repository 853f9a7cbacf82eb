"""
Sentences by which what stands behind them is not meant: it is dropped, forbidden, or only a reason.

As in `cues`, these only ever hold the deterministic stage back. Each goes by what such a sentence
does in any language: it drops what it does not name, or forbids to say what is so.
"""

import re


def _compile(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE | re.VERBOSE)


# --- What is dropped ------------------------------------------------------------------------

_ANSWER = r"(?:one|answer|option|choice|candidate|guess|suggestion|reply|result|line)s?"
_NAMED = r"\ *\(?[A-Z]\b"
_ITSELF = rf"""
    (?:(?:this|that|these|those)(?:\ (?:\w+\ )?{_ANSWER}\b(?!{_NAMED})
       |(?=\s*(?:[,.;!]|\Z|(?:out|aside|away|up|off|back|here|too|gets?|is|was|will)\b)))
    |(?:the|my|our|any)\ (?:(?:next|last|first|above|present|current|same|earlier|previous)\ )?
     (?:following|{_ANSWER})\b(?!{_NAMED})
    |what\ (?:follows|comes|stands)\b)"""
"""What may be the very answer that stands behind the sentence; what is named is another one."""
_OBJECT = rf"(?:{_ITSELF}|(?:it|them)\b)"
_DROPS = r"""
    (?:(?:drop|skip|scrap|scratch)(?:s|ped|ping)?|(?:discard|abandon|reject|retract)(?:s|ed|ing)?
    |(?:dismiss|ditch)(?:es|ed|ing)?|omit(?:s|ted|ting)?|withdr[ae]ws?|withdrawn|forget|forgo
    |(?:eliminat|exclud|remov|delet|eras|refus)(?:e|es|ed|ing)
    |(?:rul(?:e|es|ed|ing)|cross(?:es|ed|ing)?|strikes?|struck|leav(?:e|es|ing)|left)\ out
    |(?:set|sets|setting|put|puts|putting|lay|laid|leave|left|cast)\ aside
    |(?:throw|threw|thrown|throwing|give|gave|cast)\ (?:out|away|up)|pass(?:es|ed|ing)?\ on
    |tak(?:e|es|ing)\ back|took\ back|let(?:s|ting)?\ go\ of|get(?:s|ting)?\ rid\ of|do\ without)"""
_DROPS_AROUND = r"""
    (?:rul(?:e|es|ed|ing)|cross(?:es|ed|ing)?|strik(?:e|es|ing)|struck|leav(?:e|es|ing)|left
    |set(?:s|ting)?|put(?:s|ting)?|lay|laid|cast|throw(?:s|ing)?|threw|thrown|giv(?:e|es|ing)|gave
    |tak(?:e|es|ing)|took|let(?:s|ting)?)"""
"""Verbs that drop what stands between them and their “out”."""
_ENGLISH_DROPS = rf"""
    \b{_DROPS}\ (?:\w+ly\ )?{_OBJECT}
    |\b{_DROPS_AROUND}\ {_OBJECT}\ (?:out|aside|away|up|off|back|go)\b
    |\b{_ITSELF}\ (?:\w+\ ){{0,3}}?{_DROPS}\b"""
_GERMAN_ITSELF = r"(?:das|dies\w*|es|was\ folgt|(?:meine|die|diese)\ antwort|folgend\w*)"
_GERMAN_DROPS = rf"""
    \b{_GERMAN_ITSELF}\b[^.!?\n]{{0,40}}
    \b(?:verwerf\w*|verworfen|streich\w*|gestrichen|weggelassen|fallen|weg|aus|beiseite|zurück
    |ausgeschlossen|abgelehnt|entfern\w*|verzicht\w*)(?=[\s.!])
    |\b(?:verwerf\w*|streich\w*|lehn\w*|lass\w*|entfern\w*|leg\w*|schließ\w*|nehm\w*)
    \ (?:ich\ |wir\ )?{_GERMAN_ITSELF}\b"""
_FINNISH_ITSELF = r"(?:tämän|tästä|sen|siitä|seuraavan|nämä|vastauksen)"
_FINNISH_VERBS = r"""
    (?:hylkään|hylätään|hylkäämme|jätän|jätetään|jätämme|pudotan|poistan|poistetaan|suljen|unohdan
    |luovun)"""
_FINNISH_DROPS = rf"""
    \b{_FINNISH_VERBS}\ {_FINNISH_ITSELF}\b
    |\b{_FINNISH_ITSELF}\b[^.!?\n]{{0,20}}\b{_FINNISH_VERBS}\b"""
_CHINESE_ITSELF = "(?:这|此|它|该|下面|以下|答案)"
_CHINESE_VERBS = (
    "(?:放弃|排除|去掉|舍去|舍弃|丢弃|抛弃|删去|删除|划掉|剔除|淘汰|否决|撤回|删掉|去除|扔掉)"
)
_CHINESE_DROPS = rf"""
    {_CHINESE_VERBS}了?{_CHINESE_ITSELF}|{_CHINESE_ITSELF}[^。！？\n]{{0,8}}{_CHINESE_VERBS}"""

DISCARDS = _compile(_ENGLISH_DROPS, _GERMAN_DROPS, _FINNISH_DROPS, _CHINESE_DROPS)
"""
How a sentence drops, or sets aside, what it does not name: which may be what stands alone below.

>>> bool(DISCARDS.search("I set this one aside.")), bool(DISCARDS.search("I drop option A."))
(True, False)
"""

NOT_KEPT = re.compile(
    r"""\b(?:lost|loses?|losers?|drops?|dropped|dismiss(?:es|ed)?|deleted|erased|omitted|withdrawn
    |abandoned|scrapped|void
    |verloren\w*|verworfen\w*|gestrichen\w*|aussortiert\w*|weggelassen\w*|ungültig\w*
    |hylät\w*|hylkä\w*|poistet\w*|kadonn\w*|mitätö\w*)\b
    |丢失|遗失|作废|淘汰|舍弃|舍去|删除|放弃""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words in a reason by which an answer may be one of those that are not kept."""

# --- What is forbidden ----------------------------------------------------------------------

_BANS = r"""
    \b(?:must|may|shall|should|ought|dare)\ (?:not|never)\b|\b(?:mustn|shouldn|shan|oughtn)['’]t\b
    |\b(?:one|you|we|i)\ (?:\w+ly\ )?(?:(?:can|could|will|would)\ (?:not|never)\b|cannot\b
      |(?:can|couldn|won|wouldn)['’]t\b)
    |\b(?:nobody|no\ one|none\ of\ us)\ (?:may|must|shall|should|can|could|will)\b
    |(?:\bnot|n['’]t|\bnever)\ (?:to|allowed|permitted|supposed|going\ to)\b
    |\b(?:forbidden|prohibited|banned|refrain|avoid)\b
    |(?:\A|[,;:]\s)[\s*_]*(?:please\ |here\ )?(?:do\ not|don['’]t|never)\b"""
"""For people in general, or for the reader; what Bob can't do is a fact about Bob."""
_SAYS = r"""
    \b(?:writ(?:e|ing|ten)|say(?:ing)?|said|tell(?:ing)?|told|stat(?:e|ing|ed)|put|giv(?:e|ing|en)
    |answer(?:ing)?|reveal(?:ing)?|report(?:ing)?|speak(?:ing)?|stand|trust(?:ing)?|believ(?:e|ing)
    |tak(?:e|ing)|accept(?:ing)?|rely(?:ing)?|follow(?:ing)?)\b"""
_WHAT_IS_SO = r"""
    \b(?:true|truth\w*|honest\w*|correct\w*|right(?![-\ ](?:hand|side|angle|triangle))
    |what\ (?:is|follows|comes|i|stands)\b
    |(?:the|my|this|our)\ (?:\w+\ )?(?:answer|solution|reply|line)\b
    |(?:this|it)(?=\s*(?:[,.!]|\Z)))"""
_OF_ALL = (
    (_BANS, _SAYS, _WHAT_IS_SO),
    (
        r"""\b(?:darf|dürfen|soll\w*|kann|können|will|werde)\b.*\b(?:nicht\w*|nie|kein\w*)\b
        |\b(?:verboten|untersagt)\b
        |\A[\s*_]*(?:schreib|sag|nenn|glaub|trau|gib)\w*\b.*\b(?:nicht|nie|kein\w*)\b""",
        r"""\b(?:schreib\w*|geschrieben|sag\w*|gesagt|steh\w*|nenn\w*|antwort\w*|geben|gib
        |verrat\w*|glaub\w*|trau\w*|hinschreib\w*)\b""",
        r"\b(?:wahr\w*|richtig\w*|stimm\w*|ehrlich\w*|(?:die|diese[rn]?)\ antwort|das)\b",
    ),
    (
        r"\b(?:e[int]|emme)\ (?:saa|pidä|tule|voi)\b|\b(?:älä|älkää|kielletty\w*)\b",
        r"\b(?:kirjoit|sano|vasta|kerto|kerro|usko|luot|anta|puhu)\w*",
        r"\b(?:tot\w+|tosi|oike\w+|rehelli\w*|vastau\w*|tätä|tähän)\b",
    ),
    (
        "不要|不能|不可|不许|不得|不准|不应|别|禁止|切勿",
        "写|说|答|讲|告诉|透露|相信",
        "真|实话|实情|对的|正确|答案|这里|此处|下面|以下",
    ),
)
"""In each language: what forbids, to say or to believe, what is so."""
_FORBIDS_TRUTH = [[_compile(part) for part in parts] for parts in _OF_ALL]


def forbids_truth(sentence: str) -> bool:
    """
    Tell whether a sentence forbids to say what is so, or to go by what is said.

    >>> forbids_truth("We must not tell the truth."), forbids_truth("We must not round.")
    (True, False)
    """
    return any(all(part.search(sentence) for part in parts) for parts in _FORBIDS_TRUTH)


# --- What is only a reason ------------------------------------------------------------------

_WHY = re.compile(
    r"[\s*_#>-]*(?:why|reason(?:s|ing)?|rationale|explanation|justification|grund|begründung"
    r"|erklärung|warum|perustelu\w*|selitys|syy|miksi|原因|理由|解释|为什么)[\s*_]*[:：]",
    re.IGNORECASE,
)
_CALLED_ANSWER = re.compile(
    r"\b(?:so|thus|hence|therefore|answer|conclude|result|also|somit|daher|antwort|siis|joten"
    r"|vastaus)\b|所以|因此|答案",
    re.IGNORECASE,
)


def only_gives_reason(head: str) -> bool:
    """
    Tell whether a sentence, up to a box in it, gives a reason and does not conclude by it.

    >>> only_gives_reason("Why: among the lost ones it is "), only_gives_reason("Why: 6 · 7, so ")
    (True, False)
    """
    return _WHY.match(head) is not None and _CALLED_ANSWER.search(head) is None
