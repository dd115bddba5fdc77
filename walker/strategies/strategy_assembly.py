"""Explorer and critic with a language model, put together."""

from __future__ import annotations

from memory.retrieval import Ranker
from walker.seams.chat import ChatImage
from walker.seams.protocols import ChatModel, Critic, Explorer
from walker.settings import ModelSettings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.strategies.model.model_critic import ModelCritic
from walker.strategies.model.model_explorer import ModelExplorer
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.model.one_call import OneCall
from walker.strategies.model.prompt_values import ALL_BUT_SEARCH, Offers, PromptValues


def model_strategies(
    chat: ChatModel,
    model: ModelSettings,
    ranker: Ranker,
    *,
    seed: str,
    offers: Offers = ALL_BUT_SEARCH,
    pictures: tuple[ChatImage, ...] = (),
) -> tuple[Explorer, Critic]:
    """Explorer and critic with a language model, and the built-in ones behind them. `pictures`: that of the question, for a model that
    takes pictures."""
    talk = ModelTalk(chat, model, seed, pictures=pictures)
    values = PromptValues(ranker, offers)
    one_call = OneCall(talk, values) if model.order == "combined" else None
    explorer = BuiltinExplorer(ranker, may_look=offers.may_look, may_search=bool(offers.may_search))
    critic = BuiltinCritic(ranker)
    return (
        ModelExplorer(talk, ranker, explorer, values=values, one_call=one_call),
        ModelCritic(talk, ranker, critic, values=values, one_call=one_call),
    )
