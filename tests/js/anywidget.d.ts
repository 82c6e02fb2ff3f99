/** What a browser part is given: its model, and the element to draw in. */

/** `Traits`: name -> type of what Python keeps in step; `Told`: a message from Python. */
interface Model<Traits extends object, Told = never> {
  /** The value of a trait. */
  get<Name extends keyof Traits>(name: Name): Traits[Name];
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  set(values: Partial<Traits>): void;
  save_changes(): void;
  send(content: object): void;
  on(event: `change:${keyof Traits & string}`, handler: () => void): void;
  on(event: "msg:custom", handler: (told: Told, buffers: DataView<ArrayBuffer>[]) => void): void;
  off(event: `change:${keyof Traits & string}`, handler: () => void): void;
  off(event: "msg:custom", handler: (told: Told, buffers: DataView<ArrayBuffer>[]) => void): void;
}

interface View<Traits extends object, Told = never> {
  model: Model<Traits, Told>;
  el: HTMLElement;
}

/** Draws, and returns what ends the drawing. */
type Render<Traits extends object, Told = never> = (view: View<Traits, Told>) => void | (() => void);

/** What is used of plotly.js. */
interface Plotly {
  react(plot: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>;
  purge(plot: HTMLElement): void;
}

/** An element that plotly has drawn on, which then tells of clicks. */
interface PlotElement extends HTMLDivElement {
  on?(event: "plotly_click", handler: (told: { points: { curveNumber: number; pointNumber: number }[] }) => void): void;
}

/** plotly.js in one version: asked for when, and the promise of it, which `resolve` keeps. */
interface PlotlyLibrary {
  asked: number;
  loaded: boolean;
  promise: Promise<Plotly>;
  resolve: (library: Plotly) => void;
}

/** Version -> library, one table for the page. */
declare var __workbenchPlotly: Map<string, PlotlyLibrary> | undefined;
