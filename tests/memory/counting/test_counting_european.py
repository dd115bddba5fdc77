"""What questions in German, French, Spanish, Portuguese and Italian want counted."""

from __future__ import annotations

import pytest

from memory.counting.requirement import Requirement, counted_noun, read_requirement

QUOTA = [
    ("Nenne 4 der vertrauenswürdigen Quellen, die der Vortrag empfiehlt.", 4, "vertrauenswürdigen Quellen"),
    ("Nennen Sie bitte mindestens drei Vorträge der Tagung.", 3, "Vorträge"),
    ("Cite cinco professores do departamento.", 5, "professores"),
    ("Indique três cursos oferecidos.", 3, "cursos"),
    ("Citez trois partenaires du festival.", 3, "partenaires"),
    ("Nombra cinco libros de la biblioteca.", 5, "libros"),
    ("Elenca quattro mostre del museo.", 4, "mostre"),
    ("Nenne zwei gebrauchte, erschwingliche Router.", 2, "gebrauchte erschwingliche Router"),
    ("Können Sie drei Kurse nennen?", 3, "Kurse"),
    ("Aus welchen zwei Teilen besteht das Gerät?", 2, "Teilen"),
    ("Dígame cuatro cursos.", 4, "cursos"),
    ("Pouvez-vous citer trois ateliers ?", 3, "ateliers"),
    ("Welche vier Klebebänder gibt es in der Werkstatt?", 4, "Klebebänder"),
    ("Wer sind die drei Vorsitzenden?", 3, "Vorsitzenden"),
    ("Nennen Sie drei Beispiele für Werkzeuge.", 3, "Werkzeuge"),
    ("Nenne zwei 3D-Drucker des Labors.", 2, "3D-Drucker"),
    ("Quels sont les trois objectifs du projet ?", 3, "objectifs"),
    ("Dis-moi deux exemples d'outils.", 2, "outils"),
    ("Dime tres asignaturas de primero.", 3, "asignaturas"),
    ("¿Qué dos valores admite la opción?", 2, "valores"),
    ("Da tres ejemplos de proyectos.", 3, "proyectos"),
    ("Quais três cursos são oferecidos?", 3, "cursos"),
    ("Me diga quatro projetos feitos na escola.", 4, "projetos"),
    ("Quali tre corsi sono offerti?", 3, "corsi"),
    ("Dimmi due mostre del museo.", 2, "mostre"),
    ("Donnez le nom de 2 intervenants du débat.", 2, "intervenants"),
    ("Indica el nombre de 3 socios del club.", 3, "socios"),
    ("Diga o nome de três cursos.", 3, "cursos"),
    ("Indica il nome di due mostre.", 2, "mostre"),
]
AFTERTHOUGHT = [
    ("Auf welchen Plattformen kann man danach suchen? Nenne drei.", 3, "Plattformen"),
    ("Welche üblichen Lagerorte gibt es? Zwei Beispiele.", 2, "üblichen Lagerorte"),
    ("Auf welchen Ebenen kann sie laufen? Zwei nennen.", 2, "Ebenen"),
    ("Wer sitzt im Vorstand? Nenne mindestens zwei.", 2, "Personen"),
    ("Womit ist er ausgerüstet? Drei Gegenstände.", 3, "Gegenstände"),
    ("Welche Arten von Mitgliedern kennt die Satzung? Nenne zwei davon.", 2, "Arten von Mitgliedern"),
    ("Welche Werkzeuge gibt es (nenne zwei)?", 2, "Werkzeuge"),
    ("Quelles sont les parties du livre ? Citez les trois.", 3, "parties"),
    ("Quels outils trouve-t-on à droite ? Donnez-en deux.", 2, "outils"),
    ("Quand la piscine est-elle ouverte ? Trois créneaux.", 3, "créneaux"),
    ("Pour quels pollens y a-t-il un risque ? Trois, tels qu'ils sont nommés dans le tableau.", 3, "pollens"),
    ("¿Qué cosas presta la biblioteca? Tres ejemplos.", 3, "cosas"),
    ("¿Qué recursos recomienda la guía? Dos.", 2, "recursos"),
    ("¿Quiénes forman la junta? Nombra a dos.", 2, "personas"),
    ("¿Qué clases de nodos tiene el cluster? Di tres por su sigla.", 3, "clases de nodos"),
    ("Quais linguagens são usadas? Cite duas.", 2, "linguagens"),
    ("Quali musei ci sono? Due.", 2, "musei"),
]
ALL_AFTERWARDS = [
    ("Welche Klebebänder gibt es? Bitte alle.", "Klebebänder"),
    ("Welche Sportarten werden angeboten? Liste sie alle auf.", "Sportarten"),
    ("Welche Kurse gibt es? Und zwar alle.", "Kurse"),
    ("Welche Kurse gibt es? Eine vollständige Liste bitte.", "Kurse"),
    ("Welche Kurse gibt es? Zähle sie auf.", "Kurse"),
    ("Quels cours y a-t-il ? Listez-les.", "cours"),
    ("¿Qué cursos hay? Lístalos.", "cursos"),
    ("Quelles extensions le logiciel accepte-t-il ? Donnez-les toutes.", "extensions"),
    ("¿Qué talleres hay? Enuméralos todos.", "talleres"),
    ("Quais museus existem? Liste todos.", "museus"),
    ("Quali musei ci sono? Elencali tutti.", "musei"),
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
    ("Welche sind alle Mitglieder des Vorstands?", "Mitglieder"),
    ("Nenne alle drei Sportarten.", "Sportarten"),
    ("Quels sont tous les membres du bureau ?", "membres"),
    ("¿Cuáles son todos los talleres?", "talleres"),
    ("Wie viele Vorstandsfunktionen kann man zuweisen?", "Vorstandsfunktionen"),
    ("Wie viele übliche Lagerorte nennt die Anleitung?", "übliche Lagerorte"),
    ("Wie viele Arten von Umgebungen unterscheidet der Kurs?", "Arten von Umgebungen"),
    ("In wie viele Teile ist das Buch gegliedert?", "Teile"),
    ("Wie viele Heimspiele der Profis in der Pro B stehen für November im Spielplan?", "Heimspiele"),
    ("Combien de types de sauts le manuel décrit-il ?", "types de sauts"),
    ("Combien y a-t-il de niveaux de compétition ?", "niveaux"),
    ("En combien de parties l'écran est-il divisé ?", "parties"),
    ("Combien de sports l'association propose-t-elle ?", "sports"),
    ("¿Cuántos tipos de cuentas existen?", "tipos de cuentas"),
    ("¿De cuántas partes consta el libro?", "partes"),
    ("Em quantas etapas se divide o plano?", "etapas"),
    ("Wie viele Berichte standen auf der Tagesordnung?", "Berichte"),
    ("Combien de types de financement la commission propose-t-elle ?", "types de financement"),
    ("Il y a combien de cours ?", "cours"),
    ("Combien l'école a-t-elle de salles ?", "salles"),
    ("In quante parti è diviso il libro?", "parti"),
    ("Quanti tipi di biglietti ci sono?", "tipi di biglietti"),
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
    "Quelle commande liste les dix joueurs les plus riches ?",
    "Combien de choses peut-on vendre dans la boutique ?",
    "Welche Buchstaben können in der Spalte stehen?",
    "Quelles lettres peuvent figurer dans la colonne ?",
    "Wie viele Leute muss eine Gruppe mindestens haben?",
    "Wie viele Teeküchen gibt es je Etage?",
    "Wie viele Kategorien von Mitgliedern kennt die Ordnung mehr als die Satzung?",
    "Wie viele Bildpunkte hat die Kamera?",
    "De combien de temps dispose-t-on ?",
    "Combien de projets ont été déposés ?",
    "Quelle compétition est réservée aux nageurs de plus de 14 ans ?",
    "¿Cuántos ordenadores hay que migrar?",
    "¿Cuántos autores de cada trabajo aceptado tienen que inscribirse?",
    "¿Quién dijo que la prisa es la raíz de todos los males?",
    "Quanti annunci nuovi compaiono ogni giorno?",
    "Wer leitet das Haus? Alle Räume sind geheizt.",
]


@pytest.mark.parametrize(("question", "target", "noun"), QUOTA)
def test_a_quota_is_read_with_its_target(question: str, target: int, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="quota", target=target, noun=noun)


@pytest.mark.parametrize(("question", "target", "noun"), AFTERTHOUGHT)
def test_a_number_behind_a_question_is_of_its_things(question: str, target: int, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="quota", target=target, noun=noun)


@pytest.mark.parametrize(("question", "noun"), ALL_AFTERWARDS)
def test_all_behind_a_question_is_of_its_things(question: str, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="exhaustive", noun=noun)


@pytest.mark.parametrize(("question", "noun"), EXHAUSTIVE)
def test_a_whole_list_is_asked_for(question: str, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="exhaustive", noun=noun)


@pytest.mark.parametrize("question", NOT_COUNTING)
def test_a_figure_is_not_counted(question: str) -> None:
    assert read_requirement(question) == Requirement()


@pytest.mark.parametrize(
    ("question", "language", "noun"),
    [
        ("Wie viele Plätze hat der Raum?", "de", "Plätze"),
        ("Combien d'ingrédients demande la recette ?", "fr", "ingrédients"),
        ("¿Cuántas provincias tiene el país?", "es", "provincias"),
        ("Quantos municípios existem no estado?", "pt", "municípios"),
        ("Quante proposte sono state inviate?", "it", "proposte"),
        ("Wie viele Stunden dauert es?", "de", ""),
        ("Combien d'argent reste-t-il ?", "fr", ""),
        ("How many seats are there?", "en", ""),
    ],
)
def test_what_may_be_listed_is_known_where_its_number_may_be_stated(question: str, language: str, noun: str) -> None:
    assert counted_noun(question, language) == noun
