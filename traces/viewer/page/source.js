// Where the page gets a run from: the viewer's server, a folder on any file server read by ranges, or this very file.
// All three answer the same names ("runs", "RUN/overview", "RUN/steps/12", "RUN/blobs/DIGEST") with the same bytes.

export function openSource() {
  const kind = document.documentElement.dataset.source;
  const reader = { server: fromServer, static: fromFolder, embedded: fromThisPage }[kind]();
  return { kind, isLive: kind === "server", ...withValues(reader) };
}

function withValues(read) {
  const urls = new Map();
  const path = (...parts) => parts.map(String).join("/");
  async function json(...parts) {
    return JSON.parse(new TextDecoder().decode((await read(path(...parts))).data));
  }
  async function bytes(run, digest) {
    return (await read(path(run, "blobs", digest))).data;
  }
  async function text(run, digest) {
    return new TextDecoder().decode(await bytes(run, digest));
  }
  async function pictureUrl(run, digest) {
    const name = path(run, "blobs", digest);
    if (!urls.has(name)) {
      const { data, media } = await read(name);
      if (!/^image\/(png|webp|jpeg|gif)$/.test(media)) throw new Error("this is no picture");
      urls.set(name, URL.createObjectURL(new Blob([data], { type: media })));
      if (urls.size > 160) {
        const [oldest] = urls.keys();
        URL.revokeObjectURL(urls.get(oldest));
        urls.delete(oldest);
      }
    }
    return urls.get(name);
  }
  return { json, bytes, text, pictureUrl };
}

function fromServer() {
  return async (name) => {
    const answer = await fetch(`api/${name.split("/").map(encodeURIComponent).join("/")}`);
    if (!answer.ok) throw new Error((await answer.text()).trim() || `the viewer answered ${answer.status}`);
    return { data: new Uint8Array(await answer.arrayBuffer()), media: answer.headers.get("Content-Type") ?? "" };
  };
}

function fromFolder() {
  const index = fetch("index.json").then((answer) => answer.json());
  let whole = null;
  async function part(start, size) {
    if (whole) return (await whole).subarray(start, start + size);
    const answer = await fetch("runs.pack", { headers: { Range: `bytes=${start}-${start + size - 1}` } });
    if (!answer.ok) throw new Error(`the file server answered ${answer.status}`);
    const data = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 206) return data;
    whole = Promise.resolve(data); // a server that knows no ranges has sent everything: keep it
    return data.subarray(start, start + size);
  }
  return packed(index, part);
}

function fromThisPage() {
  const index = Promise.resolve(JSON.parse(document.getElementById("pack-index").textContent));
  const pack = document.getElementById("pack").textContent;
  return packed(index, async (start, size) => Uint8Array.from(atob(pack.slice(start, start + size)), (letter) => letter.charCodeAt(0)));
}

function packed(index, part) {
  return async (name) => {
    const place = (await index)[name];
    if (!place) throw new Error("the recorded value is missing");
    const [start, size, media, gzipped] = place;
    const data = await part(start, size);
    if (!gzipped) return { data, media };
    const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
    return { data: new Uint8Array(await new Response(stream).arrayBuffer()), media };
  };
}
