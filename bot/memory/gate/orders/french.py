"""Orders in French."""

from bot.memory.gate.orders.frame import CLAUSE, Orders, any_of, one_of, words_of

_RULES = one_of(
    r"""
    instructions?  regles?  consignes?  ordres?  directives?  restrictions?  prompt  limites?
    """
)
_BOT = r"(?:(?:le |la |l'|ce )?(?:bot|assistante?|ia|chatbot|modele))"
_FROM_NOW = r"(?:a partir de (?:maintenant|ce moment|aujourd'hui)|desormais|dorenavant|a l'avenir|des maintenant|jusqu'a nouvel ordre)"
_ADVERBS = r"(?:(?:s'il te plait|s'il vous plait|toujours|seulement|jamais|et|aussi|maintenant|puis|alors)\s+){0,3}"
_SAY = words_of(
    r"""
    sois  soyez  reponds  repondez  dis (?:a tous|a tout|a chacun|toujours|que|seulement|"|')  dites (?:a tous|a tout|que|"|')
    dis-(?:le|lui|leur)
    repete[zr]?\s  fais semblant  obeis(?:sez)?  revele[zr]?\s  insulte[zr]?\s  agis comme  comporte-toi
    parle (?:uniquement|toujours|seulement|comme)  termine (?:chaque|toutes|tes)  commence (?:chaque|toutes|tes)
    ecris (?:toujours|a la fin|dans chaque)  recommande[zr]? .{1,40} a  ne (?:dis|mentionne|parle|revele) (?:jamais|pas)
    n'oublie pas de (?:dire|repondre|prevenir)  souviens-toi de (?:dire|prevenir)  pense a (?:dire|prevenir)
    montre(?:-moi)? (?:ton|tes)  efface (?:tout|toutes|tes)  fais confiance a tout  crois tout  appelle(?!-moi| moi| sa| son| ses| ma)\b
    """
)
_SAY_INFINITIVE = words_of(
    r"""
    repondre  dire  repeter  obeir  reveler  insulter  ignorer  pretendre  terminer  recommander  mentir  finir
    """
)

FRENCH = Orders(
    overrides=any_of(
        rf"\b(?:ignor\w+|oubli\w+|neglig\w+|contourn\w+)\b.{{0,30}}\b{_RULES}\b.{{0,20}}\b(?:precedent\w*|anterieur\w*|ci-dessus"
        rf"|d'origine)\b",
        rf"{CLAUSE}{_ADVERBS}(?:ignore[zr]?|oublie[zr]?|neglige[zr]?|contourne[zr]?) .{{0,30}}\b{_RULES}\b",
        rf"\b(?:tes|vos) (?:\w+ )?{_RULES}\b",
        r"\b(?:ton|votre) prompt\b|\bprompt systeme\b",
    ),
    orders=any_of(
        rf"{CLAUSE}{_ADVERBS}{_SAY}",
        rf"\b(?:tu dois|vous devez|tu devrais|{_BOT} (?:doit|devrait))(?: toujours| seulement| uniquement)? {_SAY_INFINITIVE}\b",
        r"\bil faut que (?:tu|le bot|l'assistant)\b[^.!?\n]{0,30}\b(?:repondes?|dises?|obeisses?|insultes?|ignores?)\b",
        rf"\b{_BOT} (?:repond|dit|doit|est en (?:fait|realite)|est desormais|parle)\b",
        rf"{_FROM_NOW}\b[^.!?\n]{{0,60}}\b(?:reponds|repondez|repondras|dis\b|dites|diras|tu|vous devez|parleras|ecris|termine"
        rf"|termineras|repete|fais semblant|agis|{_BOT}|tes reponses|toutes les reponses)",
        r"\b(?:si|quand|lorsque|chaque fois que|des que)\b[^.!?\n]{3,90},\s*(?:alors )?(?:reponds|repondez|dis|dites|dis-lui"
        r"|dis-leur|repete|ecris|insulte|recommande|appelle-l[ea])\b",
        r"\b(?:chaque|toutes?)(?: tes| les| vos| mes)? (?:reponses?|messages?)\b.{0,20}\b(?:doit|doivent|se termine|finit|finissent"
        r"|commence|commencent|contient)\b",
        r"\bje suis (?:ton|votre) (?:\w+ )?(?:createur|proprietaire|developpeur|administrateur|maitre|patron)",
        r"\b(?:administrateurs?|moderateurs?|developpeurs?|admins?)\b[^.!?\n]{0,60}\b(?:tu|le bot|l'assistant|tous les utilisateurs"
        r"|tout le monde)\b",
        r"\bta (?:nouvelle |seule |vraie )?(?:tache|mission|fonction|regle|identite) est\b|\bton (?:nouveau |seul )?(?:role|but) est\b",
        r"\b(?:veut|veux|demande|exige|ordonne) que (?:tu|le bot|l'assistant)\b[^.!?\n]{0,40}\b(?:repondes?|dises?|obeisses?"
        r"|insultes?|ignores?|repetes?)\b",
        r"\bnouvelle (?:regle|instruction|consigne)\b.{0,15}[:=]",
    ),
    naming=any_of(rf"(?:\b{_FROM_NOW}[, ]+)?appelle[zr]?[- ]moi [\w'-]+(?: [\w'-]+)?(?: {_FROM_NOW})?(?=\s*(?:[.!?,;\n]|$))"),
)
