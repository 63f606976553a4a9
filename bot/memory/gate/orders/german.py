"""Orders in German."""

from bot.memory.gate.orders.frame import CLAUSE, Orders, any_of, one_of, words_of

_RULES = one_of(
    r"""
    anweisung\w*  regeln?  befehle?n?  vorgaben?  (?:system-?)?prompts?  instruktion\w*  einschrankung\w*  richtlinien?  verbote?
    anordnung\w*  vorschriften
    """
)
_EARLIER = one_of(r"vorherige\w*  bisherige\w*  fruhere\w*  obige\w*  vorangegangen\w*  alten?  ursprungliche\w*  deine\w*")
_BOT = r"(?:(?:der |die |dieser |diese )?(?:bot|assistent\w*|ki|chatbot|persona|sprachmodell))"
_FROM_NOW = r"(?:ab (?:jetzt|sofort|heute|nun)|von (?:nun|jetzt|heute) an|kunftig|in zukunft|zukunftig|fortan|bis auf weiteres)"
_ADVERBS = r"(?:(?:bitte|immer|nur|stets|nie|niemals|auch|jetzt|einfach|und|dann|sofort|unbedingt)\s+){0,3}"
_SAY = words_of(
    r"""
    sei (?:ab|immer|nie|stets|bitte|\w+ (?:zu|gegenuber))  antworte  antwortet nur  wiederhole  verrate  gehorche  beleidige  tu so
    tue so  ignoriere  behaupte  empfiehl  verhalte dich
    benimm dich  sprich (?:nur|immer|wie|ausschliesslich)  rede (?:nur|immer|wie)  gib .{0,30}\baus\b  beende (?:\w+ )?(?:jede|alle|deine)
    beginne (?:\w+ )?(?:jede|alle|deine)  sage? (?!mir|uns|ich|du\b|mal\b)\w+  erzahle? (?!mir|uns|ich)\w+
    schreibe? (?:immer|in jede|jedem|allen|am ende|unter jede|nur|stets)  teile? (?:allen|jedem|ihnen)\s  nenne? (?!mich|ich)\w+\s
    zeige? (?:mir )?(?:deine|den system)  losche? (?:alle|deine)  vertrau\w* (?:allem|jedem)  erwahne (?!ich)  fuge? .{1,40} (?:jede|an)
    denke? daran,? (?:allen|jedem)  vergiss nicht,? (?:allen|jedem)  speichere  merke? dir,? (?:dass )?du\s
    """
)
_SAY_INFINITIVE = words_of(
    r"""
    antworten  sagen  wiederholen  gehorchen  verraten  beleidigen  ignorieren  behaupten  beenden  erzahlen  empfehlen  befolgen
    weigern  lugen  preisgeben
    """
)

GERMAN = Orders(
    overrides=any_of(
        rf"\b(?:ignorier\w*|vergiss|vergesst|vergessen|missacht\w*|uberschreib\w*|umgeh\w*"
        rf"|verwirf)\b.{{0,30}}\b{_EARLIER}\b.{{0,25}}\b{_RULES}",
        rf"{CLAUSE}{_ADVERBS}(?:ignoriere?|vergiss|missachte|umgehe|verwirf) .{{0,30}}\b{_RULES}",
        r"\bdeine[nr]? (?:\w+ )?(?:anweisungen|system-?prompt|richtlinien|programmierung|vorgaben)\b",
        r"\bdu bist (?:jetzt|ab jetzt|nun) (?:ein |eine )?(?:dan|unzensiert|uneingeschrankt|ohne)",
    ),
    orders=any_of(
        rf"{CLAUSE}{_ADVERBS}{_SAY}",
        rf"\b(?:du|{_BOT}) (?:\w+ )?(?:musst|sollst|solltest|wirst|darfst nur|hast|muss|soll|sollte|darf nur|hat"
        rf"|wird)\b[^.!?\n]{{0,70}}\b(?:zu )?{_SAY_INFINITIVE}\b",
        rf"\b(?:muss|soll|sollst|musst) (?:du|{_BOT})\b[^.!?\n]{{0,70}}\b{_SAY_INFINITIVE}\b",
        rf"\b{_BOT} (?:antwortet|sagt|spricht|endet|beginnt|ist (?:jetzt|ab|in wahrheit)|gehorcht|beleidigt|muss|soll)\b",
        rf"{_FROM_NOW}\b[^.!?\n]{{0,60}}\b(?:antworte|antwortest|sagst|sage? (?!ich)|schreibst|schreibe? (?!ich)|sprichst|nennst"
        rf"|nenne? (?!mich|ich)|beendest|bist du|musst du"
        rf"|sollst du|wirst du|darfst du|{_BOT}|deine|jede antwort|alle antworten)\b",
        rf"\bdu\b[^.!?\n]{{0,40}}\b{_FROM_NOW}\b",
        r"\b(?:wenn|falls|sobald|jedes mal,? wenn|immer wenn)\b[^.!?\n]{3,90},\s*(?:dann )?(?:bitte )?(?:antworte|sage?|schreibe?"
        r"|erzahle?|nenne|behaupte|wiederhole|tu|empfiehl|beleidige)\b(?! ich\b)",
        r"\b(?:jede|alle)(?: deiner| deine)? (?:antwort|antworten|nachricht|nachrichten)\b.{0,20}\b(?:muss|mussen|soll|sollen|endet"
        r"|enden|beginnt|beginnen|enthalt)\b",
        r"\b(?:jede|alle|all) deine[nr]? (?:nachricht|antwort)",
        r"\bich bin dein(?:e)? (?:\w+ )?(?:entwickler|schopfer|besitzer|admin|administrator|meister|chef|herr)",
        r"\b(?:admins?|moderator\w*|entwickler|betreiber|besitzer)\b[^.!?\n]{0,60}\b(?:du|dass du|bot|ki|alle nutzer|jedem)\b",
        r"\bdeine (?:neue |einzige |wahre |geheime )?(?:aufgabe|rolle|regel|pflicht|mission|identitat) (?:ist|lautet)",
        r"\b(?:neue|wichtigste|goldene|geheime) (?:regel|anweisung)\b.{0,20}(?:ist|lautet|:)",
        r"\b(?:mochte|mochten|will|wollen|wunscht|bittet|befiehlt|verlangt)\b[^.!?\n]{0,15}\bdass (?:du|der bot"
        r"|die ki)\b[^.!?\n]{0,60}\b(?:antwort\w*|sag\w*|gehorch\w*|beleidig\w*|ignorier\w*)",
    ),
    naming=any_of(rf"(?:\b{_FROM_NOW}[, ]+)?(?:bitte )?nenne? mich (?:bitte )?(?:{_FROM_NOW} )?(?:bitte )?[\w'-]+(?=\s*(?:[.!?,;\n]|$))"),
)
