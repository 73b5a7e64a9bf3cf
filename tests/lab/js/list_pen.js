/** A pen that lists what is drawn with it, instead of drawing it. */
export class ListPen {
  constructor() {
    this.drawn = [];
    for (const name of ["line", "polyline", "polylines", "rect", "squares", "curve", "circle", "text"]) {
      this[name] = (...values) => this.drawn.push([name, ...values]);
    }
  }

  count(name) {
    return this.drawn.filter(([each]) => each === name).length;
  }

  get words() {
    return this.drawn.filter(([name]) => name === "text").map((each) => each[3]);
  }

  get isSound() {
    return !/null|NaN/.test(JSON.stringify(this.drawn.map((each) => each.filter((value) => value !== undefined))));
  }
}
