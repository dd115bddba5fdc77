"""Nouns that name a place in a site, and the words around them that are not part of a name."""

from __future__ import annotations

import re

from memory.words import lazy_re

PAGE = (
    r"web ?pages?|homepages?|pages?|chapters?|how-?tos?|faqs?|press releases?|release notes|guides?|articles?"
    r"|documents?|announcements?|essays?|posts?|profiles?|plans?|policy|policies|brochures?|syllabus|glossary|notices?"
)
CONTAINER = (
    r"documentation|docs|manuals?|references?|tutorials?|handbooks?|books?|web ?sites?|portal|standard library|wiki"
    r"|blog"
)
TOPIC = (
    r"modules?|packages?|extensions?|virtual tables?|librar(?:y|ies)|programs?|programmes?|courses?|projects?"
    r"|departments?|institutes?|schools?|colleges?|faculty|cent(?:er|re)s?|lab(?:oratory)?|group|museum|office"
)
SECTION = (
    r"sections?|sub-?sections?|tables?|list|entry|entries|paragraphs?|examples?|headings?|tabs?|appendix|category"
    r"|columns?"
)
PART_OF_COMPOUND = lazy_re.compile(
    rf"\b(?:{PAGE}|{SECTION}|files?) (?:sizes?|counts?|numbers?|limits?|widths?|heights?|lengths?|headers?|footers?"
    r"|titles?|names?|caches?|faults?|breaks?|ranges?|layouts?|formats?|orders?|types?|margins?|counters?)\b",
    re.IGNORECASE,
)
"""A noun of a page or section that names no place but what something is of: "the default page size"."""
SELF_NAMED = frozenset(
    (
        *("faq", "faqs", "glossary", "press release", "press releases", "release notes", "plan", "policy", "policies"),
        *("tutorial", "handbook", "wiki", "blog", "syllabus", "standard library", "how-to", "howto"),
    )
)
"""Nouns of place that belong to the title: the link says "General FAQ", but "TH3" for the TH3 page."""
_FUNCTION_WORDS = (
    "a an the this that these those its his her their our your my of in on at to from for by with as about and or "
    "but is are was were be does do did has have had which what who whom whose when where how why many much there "
    "than if then say says said state states according shows show gives give names name lists list describes "
    "describe documents mentions mention quotes contains holds named called under per section more fewer less "
    "several each every any no all some virtual"
)
BOUNDARY = frozenset(_FUNCTION_WORDS.split())
"""Words that cannot be part of the name before a noun of place."""
_ATTRIBUTES = (
    "same other main following first second third last next previous official online whole entire current new old "
    "own respective legacy general given above relevant web home above-mentioned"
)
GENERIC = frozenset(_ATTRIBUTES.split())
"""Adjectives before a noun of place that are not part of the name."""
