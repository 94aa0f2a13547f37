// Workers that are as confined as the page.
//
// What a worker may connect to is told by the server that its script is from, and a host of plain files tells
// nothing. A worker made from a text has the policy of the page instead, in its head: it loads what is beside
// the page, and reaches nobody else.

export function confinedWorker(lines, options) {
  const address = URL.createObjectURL(new Blob([lines], { type: "text/javascript" }));
  return new Worker(address, options);
}

export const beside = (file) => new URL(file, import.meta.url).href;
