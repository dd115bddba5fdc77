"""The piece of script that tells letters from their ground: WCAG 2.1 contrast of what is drawn."""

CONTRAST = r"""
  const looks = new Map();
  // What is drawn of an element, worked out once: a style is computed anew with each of its properties that is asked for.
  const lookOf = (el) => {
    let look = looks.get(el);
    if (!look) {
      const style = getComputedStyle(el);
      looks.set(el, look = {style, position: style.position, image: style.backgroundImage});
    }
    return look;
  };
  const grounds = new Map();
  const colours = new Map();
  const parseColour = (text) => {
    let colour = colours.get(text);
    if (colour === undefined) { colour = readColour(text); colours.set(text, colour); }
    return colour;
  };
  const readColour = (text) => {
    const found = text.match(/[\d.]+/g);
    return found ? [+found[0], +found[1], +found[2], found.length > 3 ? +found[3] : 1] : [0, 0, 0, 0];
  };
  // Colour behind an element: [r, g, b], or null where it is a picture.
  const groundOf = (el) => {
    if (!el) return [255, 255, 255];
    let ground = grounds.get(el);
    if (ground !== undefined) return ground;
    const look = lookOf(el);
    if (look.image !== 'none') ground = null;
    else {
      const colour = parseColour(look.style.backgroundColor);
      if (colour[3] > 0.98) ground = colour;
      else {
        const under = groundOf(el.parentElement ?? el.getRootNode().host ?? null);
        ground = under && colour[3] > 0 ? colour.slice(0, 3).map((value, i) => value * colour[3] + under[i] * (1 - colour[3])) : under;
      }
    }
    grounds.set(el, ground);
    return ground;
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrasts = new Map();
  const contrastOf = (el, {style}) => {
    const ground = groundOf(el);
    if (!ground) return 0;
    // What letters are filled with: their colour, unless the page says otherwise.
    const text = style.webkitTextFillColor;
    if (text === 'rgba(0, 0, 0, 0)') return 0;
    let known = contrasts.get(ground);
    if (!known) contrasts.set(ground, known = new Map());
    let contrast = known.get(text);
    if (contrast === undefined) { contrast = contrastBetween(parseColour(text), ground); known.set(text, contrast); }
    return contrast;
  };
  const contrastBetween = (colour, ground) => {
    const shown = colour.slice(0, 3).map((value, i) => value * colour[3] + ground[i] * (1 - colour[3]));
    const [one, other] = [light(shown), light(ground)];
    return round2((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
  };
  const paints = ({style, image}) => parseColour(style.backgroundColor)[3] > 0.5 || image !== 'none';
"""
"""`lookOf(element)` is its style with two properties that are asked for again and again; `contrastOf(element, look)` is 1..21, 0 on
a picture; `paints(look)` whether it hides what is under it."""
