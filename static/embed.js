// Puts an embed in place of its script, in a frame that is as high as its content:
// <script async src="https://…/embeds/embed.js" data-embed="id" data-title="Programme"></script>
(() => {
  const script = document.currentScript;
  const from = new URL(script.src);
  const frame = document.createElement("iframe");
  frame.src = new URL(encodeURIComponent(script.dataset.embed), from);
  frame.title = script.dataset.title || "Programme";
  frame.loading = "lazy";
  Object.assign(frame.style, { display: "block", width: "100%", height: "600px", border: "0" });
  script.after(frame);
  addEventListener("message", ({ source, origin, data }) => {
    const height = data && data.lecternHeight;
    if (source === frame.contentWindow && origin === from.origin && Number.isFinite(height)) {
      frame.style.height = `${Math.min(Math.max(height, 80), 100000)}px`;
    }
  });
})();
