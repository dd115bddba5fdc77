from __future__ import annotations

import pytest

from walker.rules.pictures.picture_words import (
    asks_for_writing,
    figure_numbers,
    how_question_points,
    means_picture_only,
    names_control,
    picture_named,
    text_points,
)


@pytest.mark.parametrize(
    "question",
    [
        "What does the diagram show?",
        "Which number does the status bar of the screenshot show?",
        "Which road leads to the harbour on the map of the town?",
        "What is written on the sign at the gate?",
        "What colour is the roof of the library?",
        "How many pins does figure 3 have?",
        "Was ist auf dem Foto der Halle zu sehen?",
        "Wie heißt der abgebildete Turm?",
        "Quelle rue mène au port sur le plan de la ville ?",
        "¿Qué número muestra la captura de pantalla?",
        "¿Qué calle se ve en el mapa del puerto?",
        "Which word stands over the door of the boat house?",
        "Which firm has its banner above the empty quay where Ann waits?",
        "In which town was the fair, as its banner says?",
        "Which number does Ann Olsen wear on her shirt?",
        "Which office is marked in the yard on the plan with the two gates?",
        "Welches Wort steht über dem Tor des Hafens?",
        "Welche Firma wirbt auf dem Banner hinter der Läuferin?",
        "Welche Nummer trägt Ann auf dem Trikot?",
        "Quelle taille est réglée sur la copie d'écran des réglages ?",
        "Qu’est-ce qui est gravé sur la cloche du port ?",
        "¿Qué dicen las letras grandes de la pared?",
        "日程下面的标志属于哪个社区？",
        "照片中有几条船？",
        "截图里显示的版本号是多少？",
        "写真に写っている船の名前は何ですか",
        "地図によると、駅から何分ですか",
    ],
)
def test_a_question_about_a_picture_is_known_by_its_words(question: str) -> None:
    assert how_question_points(question)


@pytest.mark.parametrize(
    "question",
    [
        "In which year was the harbour founded?",
        "Which Docker image is used by default?",
        "Who sits on the board of directors?",
        "How many people visited the fair of 2019?",
        "What is the mean height of the paintings Blue Harbour and Winter Orchard?",
        "What is the price of the old poster?",
        "Which function draws a line?",
        "Where do members wear their boots?",
        "Which word is used for a boat without a mast?",
        "What does the guide say on the price of a berth?",
        "Was trägt der Verein zu den Kosten bei?",
        "Wann öffnet das Museum am Freitag?",
        "Combien coûte une carte de membre ?",
        "¿Cuánto cuesta la entrada?",
        "2015 年的投票一共有多少人参加？",
        "会員の年会費はいくらですか",
    ],
)
def test_other_questions_point_to_none(question: str) -> None:
    assert not how_question_points(question)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("The order of the steps is shown in the figure below.", True),
        ("See figure 3 for the prices of all rooms.", True),
        ("Die Preise: siehe Abb. 2", True),
        ("Voir le plan ci-dessous.", True),
        ("价格见下图。", True),
        ("料金は下図のとおりです。", True),
        ("The figures of last year were better.", False),
        ("We see maps of the coast every year.", False),
    ],
)
def test_a_passage_may_send_its_reader_to_a_picture(text: str, points: bool) -> None:
    assert text_points(text) is points


def test_figures_are_told_apart_by_their_numbers() -> None:
    assert figure_numbers("see Figure 3 and fig. 12") == {"3", "12"}
    assert figure_numbers("图 4") == {"4"}
    assert figure_numbers("three figures") == frozenset()


@pytest.mark.parametrize(
    "question",
    [
        "Which field lies directly to the right of the provider mark?",
        "Who stands in the upper row?",
        "Was steht rechts neben dem Turm?",
        "Was zeigt das Gruppenfoto?",
        "Wie hoch ist der Anteil laut dem Kreisdiagramm?",
        "D'après le graphique, quelle part revient au port ?",
        "Quel bouton est coché dans la boîte de dialogue ?",
        "Quel est le numéro en haut à gauche ?",
        "¿Qué fecha aparece en el cartel?",
        "¿Qué ciudad está a la izquierda?",
        "Que número mostra a imagem?",
        "Qual é a rua do mapa que leva ao porto?",
        "Quale numero si legge sulla locandina?",
        "对话框里选中的是哪一项？",
        "这张图的左边是什么？",
        "ダイアログで選ばれている項目は何ですか",
        "一番右の船の名前は何ですか",
    ],
)
def test_a_place_in_a_picture_and_its_kind_point_to_it_in_any_language(question: str) -> None:
    assert how_question_points(question)


@pytest.mark.parametrize(
    "text",
    [
        "Our network is diagrammed in the following graphic.",
        "Here is a diagram of our network.",
        "Die Preise sind in der Abbildung dargestellt.",
        "La figure suivante indique les prix.",
        "La siguiente imagen muestra los precios.",
        "A figura abaixo mostra os preços.",
        "Vedi la figura seguente.",
        "如图所示，价格不变。",
        "以下のスクリーンショットを見てください。",
    ],
)
def test_a_passage_may_send_to_a_picture_in_any_language(text: str) -> None:
    assert text_points(text)


@pytest.mark.parametrize(
    ("question", "points"),
    [
        ("Which number does the screenshot show?", "plain"),
        ("Which number does the dialog show?", "loose"),
        ("According to the slides, how many proofs were found?", "loose"),
        ("Which entry of the menu bar opens the settings?", "loose"),
        ("What colour is the roof of the library?", "loose"),
        ("Which field lies directly to the right of the mark?", "loose"),
        ("Which version does the Docker image of the server have?", "loose"),
        ("What is written on the sign of the harbour?", "plain"),
        ("Wie viele gelbe Karten bekam er laut der Karte?", "loose"),
        ("Was steht auf der Karte neben dem Turm?", "plain"),
        ("Quel est le prix de la carte ?", "loose"),
        ("Quelle rue mène au port sur la carte ?", "plain"),
        ("封面上写着什么？", "loose"),
        ("截图里的版本号是多少？", "plain"),
        ("Who wrote the report?", ""),
    ],
)
def test_words_that_mean_other_things_as_well_point_loosely(question: str, points: str) -> None:
    assert how_question_points(question) == points


def test_a_question_about_a_button_names_a_control() -> None:
    assert names_control("What does the third button of the tool bar show?")
    assert names_control("Was zeigt das Symbol?")
    assert not names_control("Which talk ran at noon?")


@pytest.mark.parametrize(
    ("question", "named", "only"),
    [
        ("Which road leads to the harbour on the old map of the town?", "the old map", True),
        ("What does the diagram show?", "the diagram", True),
        ("Was ist auf dem Foto der Halle zu sehen?", "auf dem Foto", True),
        ("What is the number of boats in the drawing?", "the drawing", False),
        ("What is the number of the boats on the poster?", "the poster", False),
        ("What is the width of the painting in the photo?", "the photo", True),
        ("What is the height of the painting?", "", False),
    ],
)
def test_a_picture_is_named_from_its_article_and_may_be_a_thing(question: str, named: str, only: bool) -> None:
    assert picture_named(question) == named
    assert means_picture_only(question) is only


def test_what_is_written_on_a_thing_is_asked_for_in_words_of_its_own() -> None:
    assert asks_for_writing("Which word stands over the door?")
    assert asks_for_writing("墙上写着什么？")
    assert not asks_for_writing("Which road does the map show?")
