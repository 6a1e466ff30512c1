#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read, because it is what tells them that they are too old.
"use strict";

// As "engines" in package.json says.
const needed = 24;
if (Number(process.versions.node.split(".")[0]) < needed) {
  console.error(
    `Retake needs Node ${needed} or newer; this is Node ${process.versions.node}. Nothing was done.\n` +
      "Install a newer Node, and run the same command again.",
  );
  process.exit(1);
}
require("../dist/retake.cjs");
