// Style and shape of the JavaScript: the limits of the Python code, for the same reasons.

import js from "@eslint/js";
import globals from "globals";

const PAGE_OF_THE_VIEWER = "traces/viewer/page/**/*.js";
const SCRIPTS_IN_PAGES = "walker/browser/scripts/**/*.js";
const PAGE_OF_PYODIDE = "walker/code/pyodide_page/**/*.js";
const PAGE_OF_A_JOB = "walker/serving/page/**/*.js";

const shape = {
  complexity: ["error", 15],
  "max-depth": ["error", 4],
  "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
  "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
  "max-params": ["error", 6],
};

const habits = {
  "array-callback-return": "error",
  "consistent-return": "error",
  "default-case-last": "error",
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-alert": "off", // where a browser has no clipboard, a prompt is how a link is handed over
  "no-console": "error",
  "no-else-return": "error",
  "no-eval": "error",
  "no-implicit-coercion": ["error", { boolean: false }],
  "no-implicit-globals": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-param-reassign": "error",
  "no-script-url": "error",
  "no-self-compare": "error",
  "no-shadow": "error",
  "no-throw-literal": "error",
  "no-unmodified-loop-condition": "error",
  "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_", caughtErrors: "all" }],
  "no-use-before-define": ["error", { functions: false, variables: false }],
  "no-useless-concat": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-arrow-callback": "error",
  "prefer-const": "error",
  "prefer-template": "error",
};

export default [
  {
    files: [PAGE_OF_THE_VIEWER, SCRIPTS_IN_PAGES, PAGE_OF_PYODIDE, PAGE_OF_A_JOB],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: { ...js.configs.recommended.rules, ...shape, ...habits },
  },
];
