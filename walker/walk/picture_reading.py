"""Draws the parts of a page that the gate chose and reads them; a picture that was read on an earlier page is not read again."""

from __future__ import annotations

import hashlib

import msgspec

from perception.element_map import View
from perception.geometry import Box
from perception.page_pictures import LETTER_KINDS
from perception.picture_lines import with_lines
from perception.snapshot import BlindRegion
from walker.rules.pictures.picture_shots import Shot, chosen_regions, shots_of
from walker.seams.protocols import Look, LookRequest, PageFailure
from walker.vision.merge_look import with_look
from walker.walk.walk_state import ReadPicture, WalkContext, WalkState, bring_back


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """The shots of a page, and what earlier pages have shown of its pictures."""

    shots: tuple[tuple[Shot, View], ...] = ()
    known: tuple[Look, ...] = ()

    @property
    def prints(self) -> tuple[int, ...]:
        """Perceptual hashes of all that was drawn."""
        return tuple(number for _, view in self.shots for number in view.prints)


async def draw_chosen(context: WalkContext, state: WalkState) -> tuple[WalkState, Drawn]:
    """Draw what the gate chose on the page, but for pictures that were read before."""
    blindness = state.under_way.blindness
    regions = chosen_regions(blindness)
    known = {region: state.read_pictures[region.source] for region in regions if region.source in state.read_pictures}
    left = [region for region in regions if region not in known]
    looks = tuple(moved_to(region, read) for region, read in known.items())
    if not left:
        return state, Drawn(known=looks)
    # The browser may show another page: the probe for soft 404s opens a URL of its own.
    state = await bring_back(context, state)
    shots: list[tuple[Shot, View]] = []
    for shot in shots_of(left, natural=blindness.pointed > 0):
        view = await context.edges.browser.see(box=shot.box, scale=shot.scale)
        if not isinstance(view, PageFailure) and view.picture:
            shots.append((shot, view))
    return state, Drawn(shots=tuple(shots), known=looks)


async def draw_page(context: WalkContext, state: WalkState) -> tuple[WalkState, Drawn]:
    """Draw the whole page, whatever its pictures are."""
    state = await bring_back(context, state)
    view = await context.edges.browser.see(whole=True)
    if isinstance(view, PageFailure) or not view.picture:
        return state, Drawn()
    regions = tuple(region for _, region in state.under_way.blindness.regions)
    return state, Drawn(shots=((Shot(box=view.shown, scale=1.0, regions=regions), view),))


async def read_shots(context: WalkContext, state: WalkState, drawn: Drawn) -> tuple[WalkState, Look]:
    """Run the built-in OCR on the shots; gives all that was seen, in pictures that were known too. The page's own words about its
    pictures come with it."""
    looks = list(drawn.known)
    for shot, view in drawn.shots:
        key = hashlib.sha256(view.picture).hexdigest()
        if shot.regions and key in state.read_pictures:
            looks.append(moved_to(shot.regions[0], state.read_pictures[key]))
            continue
        look = await context.edges.vision.look(request_for(context, state, shot.regions, view))
        looks.append(look)
        state = _keep(state, key, shot, look)
    if not drawn.shots:
        looks.append(await context.edges.vision.look(request_for(context, state, (), nothing_drawn(state))))
    return state, _together(looks)


async def read_told(context: WalkContext, state: WalkState) -> WalkState:
    """Add what the page says of its pictures; nothing is drawn, and no look is counted."""
    look = await context.edges.vision.look(request_for(context, state, (), nothing_drawn(state)))
    observation = with_look(state.under_way.observation, look)
    is_news = observation is not state.under_way.observation
    return state.read_on(observation=observation, findings=None if is_news else state.under_way.findings)


def request_for(context: WalkContext, state: WalkState, regions: tuple[BlindRegion, ...], view: View) -> LookRequest:
    """What vision is asked of a view; its regions smallest first."""
    return LookRequest(
        question=context.task.question,
        observation=state.under_way.observation,
        view=view,
        regions=tuple(sorted((region.box for region in regions), key=lambda box: box.area)),
        blind=regions,
        language=context.task.language,
    )


def nothing_drawn(state: WalkState) -> View:
    """A view without a picture, of a page that has nothing to draw or cannot be drawn."""
    url = state.under_way.observation.url
    return View(url=url, picture=b"", width=0, height=0, shown=Box(x=0, y=0, width=0, height=0))


def moved_to(region: BlindRegion, read: ReadPicture) -> Look:
    """What was read of a picture, at the place where it stands now."""
    old, new = read.box, region.box
    across, down = (new.width / old.width if old.width else 1.0), (new.height / old.height if old.height else 1.0)

    def moved(box: Box) -> Box:
        return Box(
            x=round(new.x + across * (box.x - old.x), 2),
            y=round(new.y + down * (box.y - old.y), 2),
            width=round(across * box.width, 2),
            height=round(down * box.height, 2),
        )

    seen = (one if one.box is None else msgspec.structs.replace(one, box=moved(one.box)) for one in read.look.seen)
    lines = (
        msgspec.structs.replace(
            picture,
            box=moved(picture.box),
            heading=region.heading,
            near=region.near,
            lines=tuple(msgspec.structs.replace(one, box=moved(one.box)) for one in picture.lines),
        )
        for picture in read.look.lines
    )
    return msgspec.structs.replace(read.look, seen=tuple(seen), lines=tuple(lines))


def letters_in(drawn: Drawn) -> tuple[tuple[tuple[Box, ...], float], ...]:
    """The boxes of each shot that OCR has read, with the scale of the shot."""
    return tuple(
        (tuple(region.box for region in shot.regions if region.kind in LETTER_KINDS), view.frame.scale)
        for shot, view in drawn.shots
    )


def add_to_read(state: WalkState, picture: BlindRegion, look: Look) -> WalkState:
    """The state with more that was read of a picture."""
    if not picture.source:
        return state
    before = state.read_pictures.get(picture.source)
    seen = tuple(dict.fromkeys((*(moved_to(picture, before).seen if before is not None else ()), *look.seen)))
    lines = with_lines(moved_to(picture, before).lines if before is not None else (), look.lines)
    read = ReadPicture(box=picture.box, look=msgspec.structs.replace(look, seen=seen, lines=lines))
    return msgspec.structs.replace(state, read_pictures={**state.read_pictures, picture.source: read})


def _keep(state: WalkState, key: str, shot: Shot, look: Look) -> WalkState:
    """The state with what was read of a shot, and of each picture in it that is a file."""
    if not shot.regions:
        return state
    own = msgspec.structs.replace(look, seen=tuple(one for one in look.seen if one.source != "page"))
    kept = {**state.read_pictures, key: ReadPicture(box=shot.regions[0].box, look=own)}
    for region in shot.regions:
        if region.source:
            inside = tuple(one for one in own.seen if one.box is not None and one.box.share_in(region.box) > 0.5)
            lines = tuple(one for one in own.lines if one.box.share_in(region.box) > 0.5)
            look = msgspec.structs.replace(own, seen=inside, lines=lines, regions=1)
            kept[region.source] = ReadPicture(box=region.box, look=look)
    return msgspec.structs.replace(state, read_pictures=kept)


def _together(looks: list[Look]) -> Look:
    """Several looks as one."""
    return msgspec.structs.replace(
        looks[-1],
        seen=tuple(dict.fromkeys(one for look in looks for one in look.seen)),
        lines=tuple(dict.fromkeys(one for look in looks for one in look.lines)),
        regions=sum(look.regions for look in looks),
        notes=tuple(dict.fromkeys(note for look in looks for note in look.notes)),
    )
