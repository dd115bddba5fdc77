"""The type of answer that a question wants."""

from __future__ import annotations

import pytest

from walker.strategies.question.answer_type import read_answer_type


@pytest.mark.parametrize(
    ("question", "language", "kind", "unit"),
    [
        ("Who leads the station?", "en", "person", ""),
        ("When was it launched?", "en", "date", ""),
        ("At what time does it open?", "en", "time", ""),
        ("How much does a berth cost?", "en", "number", "money"),
        ("How long does the crossing take?", "en", "number", "duration"),
        ("Which version added the log?", "en", "version", ""),
        ("Where is the berth?", "en", "place", ""),
        ("What is the phone number of the office?", "en", "phone", ""),
        ("How much does it cost to moor?", "en", "number", "money"),
        ("What is the student registration fee?", "en", "number", "money"),
        ("What is the phone number of the chair?", "en", "phone", ""),
        ("How much space is there free of charge?", "en", "number", ""),
        ("How much money did the pier make?", "en", "number", "money"),
        ("How long can a guest stay without paying a fee?", "en", "number", "duration"),
        ("How long until I get my money back?", "en", "number", ""),
        ("Wie viel kostet es, einen Platz zu mieten?", "de", "number", "money"),
        ("Wie teuer ist ein Platz?", "de", "number", "money"),
        ("Was kostet ein Platz?", "de", "number", "money"),
        ("Was passiert, wenn niemand zahlt?", "de", "phrase", ""),
        ("Que coûte une place ?", "fr", "number", "money"),
        ("Wie viele Plätze gibt es?", "de", "number", ""),
        ("Combien coûte une place ?", "fr", "number", "money"),
        ("Combien de places coûtent plus ?", "fr", "number", ""),
        ("¿Cuánto cuesta un amarre?", "es", "number", "money"),
        ("¿Cuánto tiempo se paga?", "es", "number", ""),
        ("料金はいくらですか", "ja", "number", "money"),
        ("Wann lief das Schiff vom Stapel?", "de", "date", ""),
        ("Wie hoch ist der Beitrag?", "de", "number", ""),
        ("Qui dirige la station ?", "fr", "person", ""),
        ("¿Cuántos barcos hay?", "es", "number", ""),
        ("この船は何年に進水しましたか", "ja", "date", ""),
        ("站长是谁？", "zh", "person", ""),
        ("学费是多少钱？", "zh", "number", "money"),
    ],
)
def test_the_question_word_tells_the_type(question: str, language: str, kind: str, unit: str) -> None:
    wanted = read_answer_type(question, language)
    assert (wanted.kind, wanted.unit) == (kind, unit)


def test_what_is_counted_is_told() -> None:
    assert read_answer_type("How many boats of the fleet are there?").noun == "boats"
    assert read_answer_type("有多少艘船？", "zh").noun.endswith("船")


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("How many characters long is the hash?", "characters"),
        ("By default, to how many does the table limit the number of databases?", ""),
        ("How many of the boats have a sail?", "boats"),
    ],
)
def test_what_is_counted_is_a_noun(question: str, noun: str) -> None:
    assert read_answer_type(question).noun == noun


@pytest.mark.parametrize(
    ("question", "language", "kind"),
    [
        ("What do I get when I pipe the log?", "en", "phrase"),
        ("Where does the key go when the berth is locked?", "en", "place"),
        ("Which setting says how many boats may moor?", "en", "name"),
        ("What does someone who is no member pay with?", "en", "phrase"),
        ("Who wrote the code with which the lamp is lit?", "en", "person"),
        ("When the tide is out, how many boats lie dry?", "en", "number"),
        ("When nobody is on board, who keeps the key?", "en", "person"),
        ("Qui paie la place quand le bateau est vendu ?", "fr", "person"),
        ("Avec quel outil plie-t-on la voile quand il vente ?", "fr", "name"),
        ("Que faut-il faire d'un bateau qui coule ?", "fr", "phrase"),
        ("Pour qui le quai est-il fermé ?", "fr", "person"),
        ("De quelle heure à quelle heure le quai est-il ouvert ?", "fr", "time"),
        ("Quel est le numéro de téléphone du port ?", "fr", "value"),
        ("¿Qué campo dice cuándo caduca el amarre?", "es", "name"),
        ("¿Cómo se llama el muelle donde se amarra?", "es", "name"),
        ("Wo steht, wann die Schleuse schließt?", "de", "place"),
        ("Um welche Uhrzeit schließt die Schleuse?", "de", "time"),
        ("Was tut man, wenn niemand weiß, wo der Anker liegt?", "de", "phrase"),
    ],
)
def test_the_first_question_word_asks(question: str, language: str, kind: str) -> None:
    """Further ones begin a clause: "What do I get when ..." asks for no date."""
    assert read_answer_type(question, language).kind == kind
