// The picture of the README.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, test } = require("node:test");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "lagnet-picture-"));

function lagnet(...words) {
  return execFileSync(process.env.LAGNET, words, { cwd: folder, encoding: "utf8" });
}

after(() => fs.rmSync(folder, { recursive: true }));

test("the README's picture is what its commands draw", () => {
  const root = path.join(__dirname, "..", "..");
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  const examples = fs.readFileSync(path.join(root, "scenarios/README.md"), "utf8");
  // The words of the page's one command of that form.
  const words = (page, command) => {
    const [[, found], ...more] = page.matchAll(command);
    assert.deepEqual(more, []);
    return found.split(" ");
  };
  fs.symlinkSync(path.join(root, "scenarios"), path.join(folder, "scenarios"));
  const sweep = words(readme, /^ {4}lagnet (sweep .*)$/gm);
  lagnet(...sweep);
  const draw = words(examples, /`lagnet (report DIR --figure [^`]*)`/g);
  lagnet(...draw.with(1, sweep.at(-1)), "-o", "which.svg");
  const [, picture] = readme.match(/!\[[^\]]*\]\(([^)]*)\)/);
  const [wanted, found] = [path.join(root, picture), path.join(folder, "which.svg")]
    .map((file) => fs.readFileSync(file, "utf8"));
  assertSamePicture(wanted, found, picture);
});

// A picture and the same one drawn now: numbers may differ in their last digits from one machine to another; a figure
// has no more than a pixel's tenths.
function assertSamePicture(wanted, found, where) {
  const numbers = /-?\d+(\.\d+)?/g;
  assert.equal(found.replace(numbers, "#"), wanted.replace(numbers, "#"), where);
  const values = found.match(numbers).map(Number);
  wanted.match(numbers).map(Number).forEach((value, k) => assert.ok(Math.abs(values[k] - value) <= 0.1, where));
}

// Two of the five: the others take half a minute and more.
test("pictures of the papers' page are what its command draws", () => {
  const root = path.join(__dirname, "..", "..");
  const page = fs.readFileSync(path.join(root, "scenarios/papers/README.md"), "utf8");
  const [, command] = page.match(/^ {4}(tools\/papers --gallery) runs\/gallery/m);
  const pictures = [...page.matchAll(/!\[[^\]]*\]\(([^)]*\.svg)\)/g)].map((one) => `scenarios/papers/${one[1]}`);
  assert.equal(pictures.length, 5);
  const figures = ["maros2022/conditioning", "yu2017/theorem2"];
  const [script, option] = command.split(" ");
  execFileSync(path.join(root, script), [...figures, option, folder, "--lagnet", process.env.LAGNET]);
  for (const figure of figures) {
    const picture = `scenarios/papers/${path.dirname(figure)}.svg`;
    assert.ok(pictures.includes(picture), picture);
    const [wanted, found] = [path.join(root, picture), path.join(folder, path.basename(picture))]
      .map((file) => fs.readFileSync(file, "utf8"));
    assertSamePicture(wanted, found, figure);
  }
});
