// The versions of installed packages, for those that do not say theirs. Must not import the packages.
import { readFileSync } from 'node:fs';

export const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
