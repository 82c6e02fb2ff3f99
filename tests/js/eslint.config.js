// What is likely a mistake in the browser parts and in their tests. Layout is left to the people who write them.
import js from "@eslint/js";
import globals from "globals";

const strict = {
  ...js.configs.recommended.rules,
  eqeqeq: "error",
  "no-implicit-globals": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-shadow": "error",
  "no-unused-vars": ["error", { args: "after-used" }],
  "no-var": "error",
  "prefer-const": "error",
};

export default [
  { ignores: ["**/node_modules/"] },
  {
    files: ["workbench/widgets/parts/*.js"],
    languageOptions: { globals: { ...globals.browser, element: "readonly" } },
    rules: strict,
  },
  {
    // Put before every part, whose own module then holds what is defined here.
    files: ["workbench/widgets/parts/dom.js"],
    languageOptions: { sourceType: "script", globals: { element: "off" } },
    rules: { "no-implicit-globals": "off", "no-unused-vars": "off" },
  },
  { files: ["tests/js/*.js"], languageOptions: { globals: { ...globals.node, document: "readonly" } }, rules: strict },
];
