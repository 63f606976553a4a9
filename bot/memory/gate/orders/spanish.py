"""Orders in Spanish."""

from bot.memory.gate.orders.frame import CLAUSE, Orders, any_of, one_of, words_of

_RULES = one_of(
    r"""
    instrucciones  instruccion  reglas  ordenes  indicaciones  directrices  prompt  restricciones  normas  limites  programacion
    """
)
_BOT = r"(?:(?:el |la |este )?(?:bot|asistente|ia|chatbot|persona virtual|modelo))"
_FROM_NOW = (
    r"(?:a partir de (?:ahora|hoy|este momento)|de (?:ahora|hoy) en adelante|desde (?:ahora|ya)|en adelante|en el futuro"
    r"|hasta nuevo aviso)"
)
_ADVERBS = r"(?:(?:por favor|siempre|solo|solamente|nunca|y|tambien|ahora|unicamente|entonces|luego)\s+){0,3}"
_SAY = words_of(
    r"""

    (?:responde|contesta)(?: siempre| solo| unicamente)? (?:con|como|que|a (?:todos|cualquiera|cada)|en (?:ingles|frances|verso|rima)|"|')
    se \w+[oae] con  di (?:a todos|siempre|que|solo|"|')  diles?\b  dile a  repite  finge  obedece(?:me)?  revela  insulta  actua como
    habla (?:solo|siempre|como)  termina (?:cada|todas)  empieza (?:cada|todas)  escribe (?:siempre|en cada|al final)
    recomienda(?:le|les)?\s  nunca (?:digas|menciones|reveles)  no (?:digas|menciones)  recuerda (?:decir|contar|avisar)\w*\s
    cuentales?  muestra (?:tu|tus|el prompt)  borra (?:todo|todas|tu)  confia en todo  cree todo  llama(?:lo|la|los)? (?!me)
    guarda esto  no olvides (?:decir|contar)\w*  asegurate de (?:decir|responder)
    """
)
_SAY_INFINITIVE = words_of(
    r"""
    responder  contestar  decir(?:le|les)?  repetir  fingir  obedecer(?:me)?  revelar  insultar  ignorar  terminar  actuar  recomendar
    mentir  negarte
    """
)

SPANISH = Orders(
    overrides=any_of(
        rf"\b(?:ignor\w+|olvid\w+|desobede\w+|omit\w+|descart\w+)\b.{{0,30}}\b{_RULES}\b.{{0,20}}\b(?:anteriores|previas|tuyas"
        rf"|de arriba|originales)\b",
        rf"{CLAUSE}{_ADVERBS}(?:ignora|olvida|desobedece|omite|descarta) .{{0,30}}\b{_RULES}\b",
        rf"\btus (?:\w+ )?{_RULES}\b",
        r"\b(?:tu|el) prompt (?:del|de) sistema\b",
    ),
    orders=any_of(
        rf"{CLAUSE}{_ADVERBS}{_SAY}",
        rf"\b(?:debes|tienes que|deberias|has de|debe[sn]?|tendras que|{_BOT} (?:debe|tiene que|ha de))(?: siempre| solo"
        rf"| unicamente)? {_SAY_INFINITIVE}\b",
        rf"\b{_BOT} (?:siempre|nunca|solo|ahora|responde|contesta|dice|es en realidad|debe|tiene que)\b",
        rf"{_FROM_NOW}\b[^.!?\n]{{0,60}}\b(?:responde|respondes|contesta|di|diras|debes|tienes que|responderas|contestaras|hablaras"
        rf"|habla (?:solo|como)|escribe|escribiras|termina|terminaras|repite"
        rf"|llama(?:ras)? a|eres|seras|finge|actua|{_BOT}|tus respuestas|todas las respuestas)\b",
        r"\b(?:si|cuando|cada vez que|siempre que|en cuanto)\b[^.!?\n]{3,90},\s*(?:entonces )?(?:siempre )?(?:responde|contesta|di"
        r"|dile|diles|repite|escribe|llamal[oa]|insulta|recomienda)\b",
        r"\b(?:cada|todas?)(?: tus| las| mis)? (?:respuestas?|mensajes?)\b.{0,20}\b(?:debe|deben|tiene|tienen|termina|terminan"
        r"|empieza|empiezan|contiene)\b",
        r"\bsoy tu (?:\w+ )?(?:creador|dueno|desarrollador|administrador|amo|jefe)",
        r"\b(?:administrador\w*|moderador\w*|desarrollador\w*)\b[^.!?\n]{0,60}\b(?:tu|debes|bot|asistente|todos los usuarios"
        r"|que digas)\b",
        r"\btu (?:nueva |unica |verdadera )?(?:tarea|mision|funcion|regla|identidad) es\b",
        r"\b(?:quiere|quiero|pide|pidio|ordena|exige) que (?:siempre |solo )?(?:respondas|contestes|digas|repitas|insultes|obedezcas"
        r"|ignores|el bot|la ia)\b",
        r"\bnueva (?:regla|instruccion)\b.{0,15}[:=]|\bla (?:regla|norma) (?:mas importante|principal) es\b",
    ),
    naming=any_of(rf"(?:\b{_FROM_NOW}[, ]+)?(?:por favor,? )?llamame [\w'-]+(?: [\w'-]+)?(?: {_FROM_NOW})?(?=\s*(?:[.!?,;\n]|$))"),
)
