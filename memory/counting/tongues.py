"""The words with which German, French, Spanish, Portuguese and Italian questions count, as patterns beside each other."""

from __future__ import annotations

import re
from typing import NamedTuple

from memory.words import lazy_re

FLAGS = re.IGNORECASE


class Tongue(NamedTuple):
    """The words of one language, as patterns."""

    name: re.Pattern[str]
    """Asks for items by number or for all of them: "nenne"."""
    which: str
    """Asks which: with a number behind it a quota, and what an afterthought means stands behind it."""
    who: str
    people: str
    """What "who" asks for."""
    numbers: str
    """Number words from two on, separated by spaces."""
    between: str
    """What may stand between the asking word, the number and the noun."""
    every: str
    how_many: str
    lists: str
    """What a page does with the things that it lists, or a thing that has parts: "stehen", "gibt es"."""
    listed: str
    """Says that a page lists the things, whatever they are."""
    stated: str
    """Asks for a number that is needed, allowed or repeated, not for things: "pro Tag", "höchstens", "muss"."""
    end: str
    """Words after which the noun has ended."""
    figures: str
    """Nouns that are measured, never listed."""
    people_and_places: str
    """Nouns whose number is usually stated: counted only where the question says that they are listed."""
    plural: str
    """How plurals end, "" where no ending tells."""
    kinds: str
    """Nouns of which a list is wanted, whatever they are kinds of, and what follows them: "Arten von"."""


GERMAN = Tongue(
    name=lazy_re.compile(
        r"\b(?:nennen?|nenn|liste|listen|z[äa]hlen?|gib|geben|finden?|schreiben?|w[äa]hlen?|f[üu]hren?|sagen?|sag|zeigen?)\b"
        r"(?:\s+(?:sie|mir|uns|bitte|auf|an))*"
        r"|\b(?:kannst|k[öo]nn(?:en|t|ten)|w[üu]rden)\s+(?:du|sie|ihr)\b(?:\s+(?:mir|uns|bitte))*(?=.*\b(?:nennen|auflisten|aufz[äa]hlen|angeben)\b)",
        FLAGS,
    ),
    which=r"\b(?:welche[rnsm]?|was\s+f[üu]r|(?:was|wie|wer)\s+(?:sind|waren|hei(?:ß|ss)en|lauten|hie(?:ß|ss)en))\b(?:\s+(?:sind|waren))?",
    who=r"\b(?:wer|wen|wem)\b",
    people="Personen",
    numbers="zwei|beiden|beide drei vier fünf sechs sieben acht neun zehn elf zwölf",
    between=r"(?:mindestens|wenigstens|genau|die|der|den|dem|das|von|beliebige|verschiedenen?|weiteren?|anderen?|namen|titel|ersten|letzten"
    r"|wichtigsten|beispiele(?:\s+f[üu]r)?|es)",
    every=r"(?:alle[nr]?|s[äa]mtliche[nr]?|jeden|jede|jedes)(?:\s+(?:die|der))?",
    how_many=r"\bwie\s*viele[rn]?\s+(?:(?:verschiedenen?|unterschiedlichen?|weiteren?|anderen?)\s+|der\s+|von\s+den\s+)*",
    lists=r"stehen|steht|standen|stand|gibt\s+es|gab\s+es|enth[äa]lt|enthalten|umfasst|umfassen|listet|nennt|zeigt|geh[öo]ren|hat|haben|sind|bietet|bieten"
    r"|finden\s+(?:statt|sich)|fanden|unterscheide[nt]|kennt|besteht|unterteilt|gegliedert|gliedert|eingeteilt|teilt|f[üu]hrt|betreibt"
    r"|unterh[äa]lt|beschreibt|erkl[äa]rt|stellt|unterst[üu]tzt|definiert|vergibt|veranstaltet|organisiert|empfiehlt|vor(?:gestellt|gesehen)"
    r"|kann\s+man|k[öo]nnen|l[äa]sst\s+sich|lassen\s+sich|z[äa]hlt|werden",
    listed=r"aufgef[üu]hrt|gelistet|aufgelistet|genannt|verzeichnet|listet|nennt|(?:stehen|steht|standen|stand|sind|finden\s+sich)\b.*\b(?:auf|in|unter|im)\b"
    r".*\b(?:seite|liste|tabelle|kalender|programm|verzeichnis|abschnitt|tagesordnung|\w*plan|\w*katalog)\w*",
    stated=r"\b(?:(?-i:pro)|je|jeden?|jedes)\s+\w+|\bmehr\s+(?:\w+\s+)?als\b|\bim\s+(?:jahr|monat)\b(?!\s+\d)|\bmindestens|\bh[öo]chstens|\bmaximal|\bminimal|\bmuss|\bm[üu]ssen|\bsind\b.*\bzu\s+\w+en\b"
    r"|\bsoll\b|\bsollen|\bsollte|\bdarf|\bd[üu]rfen|\bzusteh|\bstehen\s+(?:einem|einer|jedem|jeder)|\bgleichzeitig|\binsgesamt\s+(?:verkauft|geh)",
    end=r"des|der|die|das|dem|den|in|im|ins|auf|aus|bei|beim|mit|von|vom|zu|zum|zur|f[üu]r|an|am|unter|nach|[üu]ber|um|durch|w[äa]hrend|seit|laut"
    r"|stehen|steht|gibt|gab|sind|ist|war|waren|wurden|wurde|werden|wird|hat|haben|hatte|hatten|enth[äa]lt|umfasst|umfassen|listet|nennt|zeigt"
    r"|geh[öo]ren|finden|fanden|und|oder|kann|k[öo]nnen|muss|m[üu]ssen|soll|sollen|darf|d[üu]rfen|will|wollen|man|es|sie|er|wir|ich|ein|eine|einen"
    r"|einem|einer|bieten|bietet|bilden|tragen|brauchen|kommen|lassen|gelten|machen|nehmen|spielen|geben|treten|fallen",
    figures=r"(?:kubik|quadrat|kilo|zenti|milli)?meter|(?:\w*[^\W_])?(?:minuten|stunden|jahre|jahren|monate|wochen|prozent|tonnen|liter|grad|euro)"
    r"|tage|sekunden|hektar|cent|watt|volt|byte|bytes|\w*byte|kilogramm|gramm|mal|credits|leistungspunkte|\w*(?:pixel|bildpunkte)",
    people_and_places=r"menschen|personen|leute|(?:\w*[^\W_])?(?:einwohner|besucher|teilnehmer|zuschauer|mitarbeiter|nutzer|kunden|sch[üu]ler"
    r"|studenten)\w*|mitglieder|\w*(?:studierende|besch[äa]ftigte|freiwillige)n?|w[öo]rter|zeichen|seiten|punkte|stimmen|haushalte|bits?|zeilen"
    r"|dateien|ziffern|stellen|buchstaben|(?:\w*[^\W_])?(?:pl[äa]tze|sitze|kerne|knoten)|exemplare|downloads|stufen|etagen|kopien|versuche"
    r"|domains|(?:e-)?b[üu]cher|e-books|tore|spiele|stockwerke|ger[äa]te|commits|stars|b[äa]nde|rechner",
    plural=r"",
    kinds=r"(?:arten|typen|sorten|formen|kategorien|klassen|gruppen)(?:\s+(?:von|an|der))?",
)
FRENCH = Tongue(
    name=lazy_re.compile(
        r"\b(?:nomme[zr]?|cite[zr]?|donne[zr]?|liste[zr]?|[ée]num[èé]re[zr]?|trouve[zr]?|indique[zr]?|mentionne[zr]?|dis|dites|pr[ée]cise[zr]?)\b"
        r"(?:[\s-]+(?:moi|nous|m['’]en|en))?",
        FLAGS,
    ),
    which=r"\bqu(?:els|elles|els?\s+sont|oi\s+sont)\b(?:\s+(?:sont|étaient|[ée]taient|furent))?|\blesquel(?:le)?s\s+d(?:es|e\s+ces)\b",
    who=r"\bqui\s+(?:est|sont|a|ont|peut|fait)\b|^\W*(?:[àa]\s+|avec\s+|de\s+)?qui\b",
    people="personnes",
    numbers="deux trois quatre cinq six sept huit neuf dix onze douze",
    between=r"(?:au\s+moins|exactement|les|le|des|de|d['’]|noms?|titres?|premiers|premières|derniers|dernières|autres|principaux|principales"
    r"|diff[ée]rent(?:e)?s|grand(?:e)?s|petit(?:e)?s|nouveaux|nouvelles|exemples?\s+d(?:es?|['’])|ses|leurs|ces)",
    every=r"(?:tous|toutes|chaque|chacun(?:e)?|la\s+liste\s+compl[èe]te|l['’]ensemble)(?:\s+(?:les|des|ses|leurs|ces))?",
    how_many=r"\bcombien\s+(?:(?:[\w'’]+\s+){0,3}?[\w'’]+-(?:t-)?(?:ils?|elles?|on)\s+)?d(?:es?\s+|['’])",
    lists=r"figurent|sont|liste|contient|compte|comprend|cite|y\s+a|y\s+avait|présente|mentionne|appartiennent|r[ée]pertorie|propose|proposent|a-t-(?:il|elle)\s*(?:\?|d(?:e\b|['’]))"
    r"|distingue|d[ée]crit|d[ée]finit|offre|conna[îi]t|(?:se\s+)?(?:compose|divise|r[ée]partit|d[ée]compose)|existe|existent|composent|constituent|comporte|comportent|poss[èe]de|dispose"
    r"|organise|g[èe]re|forme|recense|recommande|explique|anime|regroupe|compos[ée]e?s?|divis[ée]e?s?|r[ée]partie?s?",
    listed=r"figurent|liste|list[ée]e?s|cit[ée]e?s|mentionn[ée]e?s|r[ée]pertori[ée]e?s|[ée]num[ée]r[ée]e?s|cite|mentionne|r[ée]pertorie|recense|d[ée]crit",
    stated=r"\bpar\s+(?:jour|semaine|mois|an|heure|personne|s[ée]ance|[ée]quipe)\b|\bchaque\b|\bau\s+(?:moins|plus|maximum|minimum|total)\b|\bde\s+plus\s+qu|\bfaut-il|\bfaut\b"
    r"|\bdoi(?:t|vent)\b|\bmonde\b|\bmises?\s+en\s+vente|\bont\s+particip|\bsont\s+venus?|\bmaximum|\bminimum|\bse\s+sont\b|\b(?:ont|a)\s+[ée]t[ée]\b",
    end=r"de|du|des|d['’]\w*|dans|sur|en|au|aux|à|a|qui|que|qu['’]\w+|dont|pour|par|avec|chez|selon|figurent|sont|est|liste|contient|compte|comprend|cite|y"
    r"|présente|mentionne|et|ou|la|le|les|l['’]\w+|ont|peut|peut-on|peuvent|il|elle|on|un|une",
    figures=r"(?:kilo|centi|milli)?mètres|minutes|secondes|heures|jours|semaines|mois|ans|années|euros|degrés|tonnes|hectares|litres|fois|watts|octets"
    r"|(?:kilo|m[ée]ga|giga|t[ée]ra)-?octets|points|pour-?cents?|temps|crédits|grammes|kilos|centimes",
    people_and_places=r"personnes|gens|habitants|visiteurs|participants|membres|mots|caractères|pages|voix|[ée]tudiant(?:e)?s|[ée]lèves|adh[ée]rent(?:e)?s"
    r"|licenci[ée](?:e)?s|b[ée]n[ée]voles|salari[ée](?:e)?s|spectateurs|utilisat(?:eurs|rices)|collaborat(?:eurs|rices)|foyers|places|chiffres|lettres"
    r"|lignes|fichiers|bits|coeurs|cœurs|n[oœ]uds|exemplaires|copies|bombes|duels|fans|joueu(?:rs|ses)|t[ée]l[ée]chargements|abonn[ée]s|m2|tours",
    plural=r"[sxz]",
    kinds=r"(?:types|sortes|genres|cat[ée]gories|formes|classes|groupes|espèces)(?:\s+d(?:es?\b|['’]))?",
)
SPANISH = Tongue(
    name=lazy_re.compile(
        r"\b(?:n[óo]mbr(?:a|e|ar|en)|menciona|mencione|enumer[ae]|indica|indique|cit[ae]|dé|d[ai]me|dí|d[íi]ga(?:me|nos)?|list[ae]|encuentra|escrib[ae]|se[ñn]al[ae])\b|(?:^|[.?!]\s+|por\s+favor,\s+)(?:da|di)\b",
        FLAGS,
    ),
    which=r"\b(?:qué|cu[áa]les)\b(?:\s+(?:son|eran|fueron))?|(?:^\W*|¿\s*)(?:[a-z]{1,5}\s+)?que\b",
    who=r"\bqui[ée]n(?:es)?\b",
    people="personas",
    numbers="dos tres cuatro cinco seis siete ocho nueve diez once doce",
    between=r"(?:al\s+menos|por\s+lo\s+menos|exactamente|los|las|el|de|nombres?|títulos?|primer[oa]s|[úu]ltim[oa]s|otr[oa]s|principales|diferentes|distint[oa]s"
    r"|nuev[oa]s|grandes|ejemplos?\s+de|sus|divers[oa]s)",
    every=r"(?:tod[oa]s|cada|la\s+lista\s+completa\s+de)(?:\s+(?:l[oa]s|un[oa]\s+de|sus))?",
    how_many=r"\bcu[áa]nt[oa]s\s+",
    lists=r"hay|figuran|aparecen|tiene|tienen|ten[íi]an?|hab[íi]a|contiene|enumera|incluye|menciona|lista|pertenecen|se\s+(?:celebraron|divide|compone|puede|pueden|distinguen)"
    r"|son|ofrece|ofrecen|propone|distingue|describe|define|explica|existen|abarca|comprende|organiza|recomiendan?|presenta|forman|componen|consta"
    r"|admite|acepta|soporta|conoce|reparte|est[áa](?:n)?",
    listed=r"figuran|aparecen|enumera|menciona|lista|se\s+(?:listan|enumeran|mencionan|nombran|describen)|(?:list|mencion|enumer|nombr)ad[oa]s",
    stated=r"\bpor\s+(?:día|semana|mes|año|hora|persona|equipo)\b|\bcada\b|\b(?:como|al)\s+(?:m[áa]ximo|m[íi]nimo|menos)|\bm[áa]s\s+que\b|\bhay\s+que\b"
    r"|\btienen?\s+que\b|\bdeben?\b|\bm[áa]xim[oa]|\bm[íi]nim[oa]|\bmundo\b|\ben\s+marcha\b|\bdebe\b|\bpor\s+defecto\b",
    end=r"de|del|en|que|con|por|para|a|al|hay|figuran|aparecen|tiene|tienen|contiene|enumera|incluye|menciona|pertenecen|se|y|e|o|u|la|el|los|las|lista|es|son"
    r"|está|están|puede|pueden|un|una|según|sobre|hacen|hace",
    figures=r"(?:kil[óo]|cent[íi]|mil[íi])?metros|minutos|segundos|horas|d[íi]as|semanas|meses|años|euros|pesos|d[óo]lares|grados|toneladas|hect[áa]reas"
    r"|litros|veces|puntos|cr[ée]ditos|(?:kilo|mega|giga|tera)?bytes|vatios|kilos|gramos|por\s?ciento|p[íi]xeles",
    people_and_places=r"personas|gente|habitantes|visitantes|participantes|miembros|socios|palabras|caracteres|p[áa]ginas|votos|alumn[oa]s|estudiantes"
    r"|usuari[oa]s|emplead[oa]s|asistentes|jugador[ae]s|descargas|voluntari[oa]s|d[íi]gitos|letras|l[íi]neas|ficheros|archivos|bits|n[úu]cleos|nodos|plazas|asientos|copias"
    r"|ejemplares|ordenadores|computador[ae]s|equipos|provincias|municipios|libros|intentos|cifras|m[áa]quinas|servidores|gpus",
    plural=r"s",
    kinds=r"(?:tipos|clases|formas|categor[íi]as|g[ée]neros|grupos)(?:\s+de)?",
)
PORTUGUESE = Tongue(
    name=lazy_re.compile(
        r"\b(?:cit[ea]|nomei[ea]|list[ea]|enumer[ea]|indi(?:que|ca)|mencion[ea]|dê|diga|diz|encontre|escreva|aponte)\b(?:-me)?",
        FLAGS,
    ),
    which=r"\bquais\b(?:\s+(?:são|eram|foram))?|(?:^\W*|\b(?:em|de|com|para|por|a|sobre)\s+)que\b",
    who=r"\bquem\b",
    people="pessoas",
    numbers="dois|duas três|tres quatro cinco seis sete oito nove dez onze doze",
    between=r"(?:pelo\s+menos|no\s+mínimo|exatamente|os|as|o|dos|das|de|nomes?|títulos?|primeir[oa]s|[úu]ltim[oa]s|outr[oa]s|principais|diferentes"
    r"|nov[oa]s|grandes|exemplos?\s+de|seus|suas)",
    every=r"(?:tod[oa]s|cada|a\s+lista\s+completa\s+de)(?:\s+(?:os|as|um|uma))?",
    how_many=r"\bquant[oa]s\s+",
    lists=r"h[áa]|existem|constam|aparecem|tem|têm|contém|lista|inclui|menciona|pertencem|são\s+(?:listad|mencionad|citad|apresentad|oferecid)[oa]s"
    r"|est(?:ão|avam)\s+list|são|oferece|oferecem|prop[õo]e|distingue|descreve|define|explica|abrange|compreende|organiza|recomenda|apresenta"
    r"|comp[õo]em|(?:sub)?dividid[oa]|compost[oa]|se\s+(?:divide|comp[õo]e|pode)|aceita|suporta|conhece|possui",
    listed=r"constam|aparecem|lista|menciona|(?:listad|mencionad|citad|enumerad)[oa]s|est(?:ão|avam)\s+list",
    stated=r"\bpor\s+(?:dia|semana|mês|ano|hora|pessoa|equipe)\b|\bcada\b|\bno\s+(?:m[áa]ximo|m[íi]nimo)|\ba\s+mais\b|\bmais\s+(?:do\s+)?que\b|\bprecisa|\bdeve(?:m)?\b|\bmáxim[oa]|\bmínim[oa]"
    r"|\bmundo\b|\bBrasil\b",
    end=r"de|do|da|dos|das|em|no|na|nos|nas|que|com|por|para|a|ao|aos|à|às|há|existem|constam|aparecem|tem|têm|contém|lista|inclui|menciona|pertencem|são"
    r"|foram|estão|e|ou|o|os|as|um|uma|pode|podem|segundo",
    figures=r"(?:quil[ôo]|cent[íi]|mil[íi])?metros|minutos|segundos|horas|dias|semanas|meses|anos|euros|reais|graus|toneladas|hectares|litros|vezes|pontos"
    r"|cr[ée]ditos|(?:kilo|mega|giga|tera)?bytes|pixels",
    people_and_places=r"pessoas|gente|habitantes|visitantes|participantes|membros|s[óo]cios|palavras|caracteres|p[áa]ginas|votos|alun[oa]s|estudantes"
    r"|usu[áa]rios|volunt[áa]ri[oa]s|d[íi]gitos|letras|linhas|arquivos|ficheiros|bits|n[úu]cleos|n[óo]s|vagas|lugares|c[óo]pias|munic[íi]pios|livros"
    r"|computadores|servidores|quest[õo]es",
    plural=r"s",
    kinds=r"(?:tipos|classes|formas|categorias|g[êe]neros|grupos)(?:\s+d[eoa]s?\b)?",
)
ITALIAN = Tongue(
    name=lazy_re.compile(
        r"\b(?:nomin[ai]|elenca|elenchi|indica|indichi|cita|citi|dimmi|dammi|trova|scrivi|menzion[ai])(?:mi)?(?:ne)?\b"
        r"|(?:^|[.?!]\s+|per\s+favore,\s+)(?:d[àa]|dai|dia)\b",
        FLAGS,
    ),
    which=r"\bquali\b(?:\s+(?:sono|erano|furono))?|(?:^\W*|\b(?:in|di|con|su|per|a|da)\s+)che\b",
    who=r"\bchi\b",
    people="persone",
    numbers="due tre quattro cinque sei sette otto nove dieci undici dodici",
    between=r"(?:almeno|esattamente|i|il|gli|le|dei|degli|delle|di|nom[ei]|titoli|prim[ie]|ultim[ie]|altr[ie]|principali|divers[ie]|nuov[ie]|grandi"
    r"|esemp(?:i|io)\s+di|suoi|sue)",
    every=r"(?:tutti|tutte|ogni|l['’]elenco\s+completo\s+(?:dei|degli|delle|di))(?:\s+(?:i|gli|le))?",
    how_many=r"\bquant[ie]\s+",
    lists=r"ci\s+sono|sono|figurano|compaiono|ha|hanno|contiene|elenca|comprende|cita|appartengono|offre|offrono|propone|distingue|descrive|definisce|spiega"
    r"|esistono|organizza|consiglia|presenta|compongono|(?:sud)?divis[oa]|compost[oa]|si\s+(?:divide|compone|possono|pu[òo])|supporta|accetta|conosce|prevede",
    listed=r"figurano|compaiono|elenca|cita|(?:elencat|citat|menzionat|indicat)[ie]",
    stated=r"\b(?:al|ogni)\s+(?:giorno|settimana|mese|anno|ora)\b|\bogni\b|\bal\s+(?:massimo|minimo)|\bin\s+pi[ùu]\b|\bdev(?:e|ono)\b|\bmassim[oa]|\bminim[oa]"
    r"|\bsono\s+stat[ie]\b(?!\s+(?:elencat|citat|menzionat))",
    end=r"di|del|della|dei|delle|degli|in|nel|nella|nei|nelle|sul|sulla|che|con|per|da|dal|dalla|a|al|alla|ai|ci|è|sono|figurano|compaiono|ha|hanno|contiene"
    r"|elenca|comprende|cita|appartengono|e|ed|o|il|la|lo|i|gli|le|un|una|si|può|possono|secondo",
    figures=r"(?:chilo|centi|milli)?metri|minuti|secondi|ore|giorni|settimane|mesi|anni|euro|gradi|tonnellate|ettari|litri|volte|punti|crediti|byte|pixel",
    people_and_places=r"persone|gente|abitanti|visitatori|partecipanti|membri|soci|parole|caratteri|pagine|voti|studenti|studentesse|utenti|volontari|cifre"
    r"|lettere|righe|file|bit|nodi|posti|copie|comuni|libri|computer|server|datacenter|annunci|proposte",
    plural=r"[ieaàìòùos]",
    kinds=r"(?:tipi|classi|forme|categorie|generi|gruppi|specie)(?:\s+d(?:i|ei|egli|elle)\b)?",
)
TONGUES = {"de": GERMAN, "fr": FRENCH, "es": SPANISH, "pt": PORTUGUESE, "it": ITALIAN}
ADJECTIVES_FIRST = ("de",)
"""Languages whose adjectives stand before the noun."""


def number_words(tongue: Tongue) -> str:
    """Number words of a language as one pattern."""
    return tongue.numbers.replace(" ", "|")


def number_of(word: str, tongue: Tongue) -> int:
    """The value of a number in digits or of a number word, 0 for any other word."""
    if word.isdigit():
        return int(word)
    numbers = tongue.numbers.split()
    return next((place for place, forms in enumerate(numbers, 2) if word.lower() in forms.split("|")), 0)
