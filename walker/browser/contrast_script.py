"""The piece of script that tells letters from their ground: WCAG 2.1 contrast of what is drawn."""

CONTRAST = r"""
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
  const groundOf = (el, style, image) => {
    if (!el) return [255, 255, 255];
    let ground = grounds.get(el);
    if (ground !== undefined) return ground;
    style ??= getComputedStyle(el);
    if ((image ?? style.backgroundImage) !== 'none') ground = null;
    else {
      const colour = parseColour(style.backgroundColor);
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
  const contrastOf = (el, style, image) => {
    const ground = groundOf(el, style, image);
    if (!ground || style.webkitTextFillColor === 'rgba(0, 0, 0, 0)') return 0;
    const text = style.color;
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
  const paints = (el, style) => parseColour(style.backgroundColor)[3] > 0.5 || style.backgroundImage !== 'none';
"""
"""`contrastOf(element, style, image)` is 1..21, 0 on a picture; `paints(element, style)` whether it hides what is under it."""
