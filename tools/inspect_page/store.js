"use strict";
/* Decodes the parts of the page when they are needed, and composes what planes held after an operation. */
const frameStore = (() => {
  const data = JSON.parse(document.getElementById("frame-data").textContent);
  const KEPT_PICTURES = 64, KEPT_CANVASES = 24, STEPS_BETWEEN = 16;

  const bytes = (number) => {
    const text = atob(document.getElementById(`b${number}`).textContent);
    const found = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) found[i] = text.charCodeAt(i);
    return found;
  };

  const remembered = (most, make, drop = () => {}) => {
    const known = new Map();
    return (number) => {
      const found = known.get(number) ?? make(number);
      known.delete(number);
      known.set(number, found);
      if (known.size > most) {
        const [oldest, value] = known.entries().next().value;
        known.delete(oldest);
        drop(value);
      }
      return found;
    };
  };

  const exact = {premultiplyAlpha: "none", colorSpaceConversion: "none"};
  const picture = remembered(KEPT_PICTURES, async (number) => {
    const content = bytes(number), kind = content[0] === 0x89 ? "png" : "webp";
    return createImageBitmap(new Blob([content], {type: `image/${kind}`}), exact);
  });
  const inflated = remembered(KEPT_PICTURES, async (number) => {
    const stream = new Blob([bytes(number)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  });
  const address = (number) => {
    const content = document.getElementById(`b${number}`).textContent;
    return `data:image/${content.startsWith("iVBOR") ? "png" : "webp"};base64,${content}`;
  };

  const canvasOf = (width, height) => {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    return canvas;
  };
  const contextOf = (canvas) => canvas.getContext("2d", {willReadFrequently: true});

  /* Changes of each plane, in the order of the operations; what it held before is that of operation -1. */
  const steps = data.planes.map(({base, width, height}) =>
    base === null ? [] : [{operation: -1, x: 0, y: 0, width, height, picture: base}]);
  data.operations.forEach(({changes}, operation) => {
    for (const [plane, x, y, width, height, number] of changes)
      steps[plane].push({operation, x, y, width, height, picture: number});
  });

  class Composition {
    constructor(plane) {
      const {width, height, last} = data.planes[plane];
      this.steps = steps[plane];
      this.last = last;
      this.canvas = canvasOf(width, height);
      this.context = contextOf(this.canvas);
      this.copies = new Map();
      this.turn = Promise.resolve();
      this.reset();
    }

    reset() {
      this.context.fillStyle = "#000";
      this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
      this.applied = 0;
    }

    /* Draw the changes up to an operation; one call after another. */
    after(operation) {
      this.turn = this.turn.then(() => this.compose(operation));
      return this.turn;
    }

    async compose(operation) {
      const needed = this.steps.filter((step) => step.operation <= operation).length;
      if (needed === this.steps.length && this.last !== null && needed - this.applied > STEPS_BETWEEN) {
        this.context.drawImage(await picture(this.last), 0, 0);
        this.applied = needed;
      }
      const copied = Math.max(0, ...[...this.copies.keys()].filter((count) => count <= needed));
      if (needed < this.applied || copied > this.applied) {
        this.reset();
        if (copied) this.context.drawImage(this.copies.get(copied), 0, 0);
        this.applied = copied;
      }
      while (this.applied < needed) {
        const some = this.steps.slice(this.applied, Math.min(needed, this.applied + STEPS_BETWEEN));
        const pictures = await Promise.all(some.map((step) => picture(step.picture)));
        some.forEach(({x, y}, i) => this.context.drawImage(pictures[i], x, y));
        this.applied += some.length;
        if (this.applied % STEPS_BETWEEN === 0 && this.copies.size < KEPT_CANVASES) {
          const copy = canvasOf(this.canvas.width, this.canvas.height);
          contextOf(copy).drawImage(this.canvas, 0, 0);
          this.copies.set(this.applied, copy);
        }
      }
      return this.canvas;
    }
  }
  const compositions = data.planes.map(() => null);
  const after = (plane, operation) => (compositions[plane] ??= new Composition(plane)).after(operation);

  const value = ([red, green, blue]) => red | green << 8 | blue << 16;
  const single = contextOf(canvasOf(1, 1));

  /* What a plane held at a pixel: the value after each operation that changed it. */
  const valuesAt = async (plane, x, y) => {
    const found = [];
    for (const step of steps[plane]) {
      if (x < step.x || y < step.y || x >= step.x + step.width || y >= step.y + step.height) continue;
      const image = await picture(step.picture);
      single.clearRect(0, 0, 1, 1);
      single.drawImage(image, x - step.x, y - step.y, 1, 1, 0, 0, 1, 1);
      const pixel = single.getImageData(0, 0, 1, 1).data;
      if (pixel[3]) found.push({operation: step.operation, value: value(pixel)});
    }
    return found;
  };

  /* Outcomes of a draw at a pixel, a bit for each; 0 where it covers nothing. */
  const outcomeAt = async ({draw}, x, y) => {
    if (!draw || !draw.outcomes) return 0;
    const [left, top, width, height, number] = draw.outcomes;
    if (x < left || y < top || x >= left + width || y >= top + height) return 0;
    return new Uint8Array(await inflated(number))[(y - top) * width + x - left];
  };

  return {data, picture, inflated, address, after, valuesAt, outcomeAt, steps, value};
})();
