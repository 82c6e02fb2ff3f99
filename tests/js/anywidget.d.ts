/** What a browser part is given: its model, and the element to draw in. */

interface Model {
  /** The value of a trait. */
  get(name: string): any;
  set(name: string, value: unknown): void;
  set(values: object): void;
  save_changes(): void;
  send(content: object): void;
  on(event: string, handler: (...told: any[]) => void): void;
  off(event: string, handler: (...told: any[]) => void): void;
}

interface View {
  model: Model;
  el: HTMLElement;
}

/** Draws, and returns what ends the drawing. */
type Render = (view: View) => void | (() => void);
