"""Questions of two facts as German, French, Spanish and Chinese word them; every name is invented."""

from __future__ import annotations

import pytest

from walker.rules.language import language_of
from walker.strategies.question.question import read_question
from walker.strategies.wording.choice_questions import BESIDES, moment_besides


def parts(question: str) -> tuple[str, list[str]]:
    read = read_question(question, language_of(question))
    return read.operation, [part.text for part in read.parts]


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "Lequel des deux ateliers est le plus ancien, Brevanne ou Corlais, et de combien d'années ?",
            "De quand date Brevanne ?",
            "De quand date Corlais ?",
        ),
        (
            "Quelle conférence a eu lieu en premier, celle sur le lin ou celle sur le chanvre, et à quelle date ?",
            "À quelle date a eu lieu la conférence sur le lin ?",
            "À quelle date a eu lieu la conférence sur le chanvre ?",
        ),
        (
            "¿Quién es más alto, la portera Inés Valdor o Marta Quil, y cuánto?",
            "¿Cuánto mide la portera Inés Valdor?",
            "¿Cuánto mide Marta Quil?",
        ),
        (
            "Welcher Kurs dauert länger, der am Montag oder der am Freitag, und um wie viele Minuten?",
            "Wie lange dauerte der Kurs am Montag?",
            "Wie lange dauerte der Kurs am Freitag?",
        ),
        (
            "Lequel, de Brevanne ou de Corlais, est le plus ancien ?",
            "De quand date Brevanne ?",
            "De quand date Corlais ?",
        ),
        ("¿Cuál de los dos, Valderón o Quil, es más antiguo?", "¿De cuándo es Valderón?", "¿De cuándo es Quil?"),
        (
            "Which of the two boards, Larkmoor or Brasslight, has more pins?",
            "How many pins does Larkmoor have?",
            "How many pins does Brasslight have?",
        ),
        (
            "Lequel a parlé en dernier, Paul Corlais ou Jean Brevanne ?",
            "Quand Paul Corlais a parlé ?",
            "Quand Jean Brevanne a parlé ?",
        ),
    ],
)
def test_a_choice_is_asked_of_each_without_what_is_wanted_besides(question: str, first: str, second: str) -> None:
    assert parts(question) == ("compare", [first, second])


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "Combien d'options de plus propose le filtre Corlais que le filtre Brevanne ?",
            "Combien d'options propose le filtre Corlais?",
            "Combien d'options propose le filtre Brevanne?",
        ),
        (
            "Combien y a-t-il d'étapes de plus dans le guide rouge que dans le guide bleu ?",
            "Combien d'étapes y a-t-il dans le guide rouge?",
            "Combien d'étapes y a-t-il dans le guide bleu?",
        ),
        (
            "Combien de jours se sont écoulés entre l'ouverture de la halle et la date fixée pour la vente ?",
            "Quand a eu lieu l'ouverture de la halle?",
            "Quelle est la date fixée pour la vente?",
        ),
        (
            "Combien de jours séparent la rencontre de mai 2019 de celle de juin 2019 ?",
            "Quand a eu lieu la rencontre de mai 2019?",
            "Quand a eu lieu la rencontre de juin 2019?",
        ),
        (
            "De combien la valeur maximale du flou dépasse-t-elle celle du grain ?",
            "Quelle est la valeur maximale du flou?",
            "Quelle est la valeur maximale du grain?",
        ),
        (
            "Quelle différence y a-t-il entre le prix du billet entier et celui du billet réduit ?",
            "Quelle est le prix du billet entier?",
            "Quelle est le prix du billet réduit?",
        ),
        (
            "¿Cuánto más duró el primer curso que el segundo?",
            "¿Cuánto duró el primer curso?",
            "¿Cuánto duró el segundo?",
        ),
        (
            "¿Cuántas páginas más tiene el informe rojo que el azul?",
            "¿Cuántas páginas tiene el informe rojo?",
            "¿Cuántas páginas tiene el azul?",
        ),
        (
            "¿Cuántos goles más que Ana Quil marcó Eva Valdor?",
            "¿Cuántos goles marcó Eva Valdor?",
            "¿Cuántos goles marcó Ana Quil?",
        ),
        (
            "¿Cuántos años pasaron entre la fundación de la coral y la apertura del museo?",
            "¿En qué año fue la fundación de la coral?",
            "¿En qué año fue la apertura del museo?",
        ),
    ],
)
def test_a_difference_keeps_each_thing_whole(question: str, first: str, second: str) -> None:
    assert parts(question) == ("difference", [first, second])


def test_amounts_of_two_things_are_added_up() -> None:
    asked = [
        ("What do the default values of larkmoor and brasslight add up to?", "What is the default value of larkmoor?"),
        ("Combien d'options Corlais et Brevanne ont-ils au total ?", "Combien d'options ont-ils Corlais?"),
        ("¿Cuántas páginas suman el informe rojo y el azul?", "¿Cuántas páginas tiene el informe rojo?"),
    ]
    for question, first in asked:
        operation, told = parts(question)
        assert (operation, told[0], len(told)) == ("sum", first, 2)


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("¿En qué año se fundó la coral y quién la preside?", "Quién preside la coral?"),
        ("¿Cuándo nació la revista y quién la dirige hoy?", "Quién dirige la revista hoy?"),
        (
            "Combien de bénévoles font tourner la foire, et qui pilote le groupe qui la prépare ?",
            "Qui pilote le groupe qui prépare la foire ?",
        ),
        (
            "En quelle année le club a-t-il été fondé, et qui en fut le premier président ?",
            "Qui fut le premier président du club ?",
        ),
        (
            "Quel menu contient la commande Corlais, et avec quel raccourci l'ouvre-t-on ?",
            "Avec quel raccourci ouvre-t-on la commande Corlais ?",
        ),
        ("¿De qué equipo llegó Ana Quil y de qué club Eva Valdor?", "De qué club llegó Eva Valdor"),
        ("青禾手册的作者是谁，他在哪所大学任教？", "青禾手册的作者在哪所大学任教？"),
        ("青禾记录有多少位，其中标志位占多少位？", "青禾记录中标志位占多少位？"),
        ("青禾协议叫什么？它的端口号是多少？", "青禾协议的端口号是多少？"),
        (
            "Who wrote the Larkmoor guide? In which year was it published?",
            "In which year was the Larkmoor guide published?",
        ),
        ("¿Qué edad tienen Ana Quil y Eva Valdor?", "¿Qué edad tienen Eva Valdor?"),
        ("Quels sont les raccourcis du crayon et du pinceau ?", "Quels sont les raccourcis du pinceau?"),
        (
            "An welchen Tagen gingen die erste und die dritte Folge der Mühlenrunde online?",
            "An welchen Tagen gingen die dritte Folge der Mühlenrunde online?",
        ),
        ("青禾甲和青禾乙这两条指令的编码分别是多少？", "青禾乙的编码是多少？"),
        ("Qui préside le club de vannerie et qui préside Corlais ?", "Qui préside Corlais ?"),
        ("Wer leitet die Mühle und wer führt Larkhof?", "Wer führt Larkhof?"),
        (
            "Für welche Tage waren die Abholungen 2025 und 2026 angesetzt?",
            "Für welche Tage waren die Abholungen 2026 angesetzt?",
        ),
    ],
)
def test_the_second_question_stands_alone(question: str, second: str) -> None:
    operation, told = parts(question)
    assert (operation, told[1]) == ("both", second)


@pytest.mark.parametrize(
    ("question", "inner"),
    [
        (
            "Dans quelle ville habite la personne qui a donné le cours de vannerie ?",
            "Qui a donné le cours de vannerie ?",
        ),
        ("Quel est le numéro du club qui organise le tournoi de mai ?", "Quel club organise le tournoi de mai ?"),
        (
            "¿Qué cargo tiene la persona que coordinó el informe sobre el agua?",
            "¿Quién coordinó el informe sobre el agua?",
        ),
        (
            "La autora que en 2023 dirigía el museo, ¿en qué ciudad estudió antes?",
            "¿Qué autora en 2023 dirigía el museo?",
        ),
        (
            "Le gérant qui tenait la halle en 2019 : dans quelle ville était-il né ?",
            "Quel gérant tenait la halle en 2019 ?",
        ),
        ("In which country was the inventor of the sensor born?", "Who is the inventor of the sensor?"),
        ("Which author of the best poster was a general chair as well?", "Which author of the best poster?"),
    ],
)
def test_what_a_clause_says_is_a_question_of_its_own(question: str, inner: str) -> None:
    operation, told = parts(question)
    assert (operation, told[0]) == ("chain", inner)


@pytest.mark.parametrize(
    "question",
    [
        "Quels sont les membres et leurs rôles ?",
        "Quels artistes ont joué et chanté ?",
        "¿Qué dos entidades firman el informe rojo?",
        "What is the difference between a lark and a moor?",
        "Wo stehen Typ und Nummer meines Ofens?",
        "How many points does a quiz give that is both early and right?",
        "Wie heißen die beiden Leiter der Mühle und der Halle?",
    ],
)
def test_what_belongs_together_is_not_taken_apart(question: str) -> None:
    assert parts(question)[0] != "both"


def test_a_tail_is_read_only_where_it_asks_when() -> None:
    assert moment_besides("fr", ", et à quelle heure", "le bal") == "À quelle heure a eu lieu le bal ?"
    assert moment_besides("es", " y de qué año es", "el informe") == "¿Cuándo fue el informe?"
    assert moment_besides("de", ", und um wie viele Minuten", "der Lauf") is None
    assert BESIDES.search("Which is longer, A or B, and by how much?")
    assert BESIDES.search("Qui est né le premier, A ou B ?") is None
