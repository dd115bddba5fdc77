"""What questions in German, French, Spanish, Portuguese and Italian want counted."""

from __future__ import annotations

import pytest

from memory.counting.requirement import Requirement, read_requirement

QUOTA = [
    ("Nenne 4 der vertrauenswürdigen Quellen, die der Vortrag empfiehlt.", 4, "vertrauenswürdigen Quellen"),
    ("Nennen Sie bitte mindestens drei Vorträge der Tagung.", 3, "Vorträge"),
    ("Cite cinco professores do departamento.", 5, "professores"),
    ("Indique três cursos oferecidos.", 3, "cursos"),
    ("Citez trois partenaires du festival.", 3, "partenaires"),
    ("Nombra cinco libros de la biblioteca.", 5, "libros"),
    ("Elenca quattro mostre del museo.", 4, "mostre"),
]
EXHAUSTIVE = [
    ("Wie viele Sitzungen des Jahres 2024 stehen im Kalender des Vereins?", "Sitzungen"),
    ("Wie viele Projekte sind auf der Seite aufgeführt?", "Projekte"),
    ("Nennen Sie alle Vorstandsmitglieder des Vereins.", "Vorstandsmitglieder"),
    ("Quantos laboratórios existem no instituto?", "laboratórios"),
    ("Liste todos os cursos oferecidos.", "cursos"),
    ("Combien de projets figurent sur la page ?", "projets"),
    ("¿Cuántos talleres hay en el programa?", "talleres"),
    ("Quanti corsi sono elencati nella pagina?", "corsi"),
    ("Elenca tutti i docenti.", "docenti"),
]
NOT_COUNTING = [
    "Wie viele Kubikmeter sollte das Becken höchstens fassen?",
    "Wie viele Mitglieder hat der Verein?",
    "Wie viele Menschen wohnen in der Gemeinde?",
    "Wie heißt die Vorsitzende?",
    "Wer gewann 2019 den Preis?",
    "Quantas pessoas participaram do evento?",
    "Quando foi fundado o clube?",
    "Combien de personnes ont participé ?",
    "¿Cuántos años tiene el edificio?",
    "Chi ha fondato il museo?",
]


@pytest.mark.parametrize(("question", "target", "noun"), QUOTA)
def test_a_quota_is_read_with_its_target(question: str, target: int, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="quota", target=target, noun=noun)


@pytest.mark.parametrize(("question", "noun"), EXHAUSTIVE)
def test_a_whole_list_is_asked_for(question: str, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="exhaustive", noun=noun)


@pytest.mark.parametrize("question", NOT_COUNTING)
def test_a_figure_is_not_counted(question: str) -> None:
    assert read_requirement(question) == Requirement()
