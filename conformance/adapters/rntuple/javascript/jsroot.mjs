// A reader of RNTuples on jsroot, for hepcheck suite (conformance/protocol-rntuple.md):
//   node jsroot.mjs DIRECTORY    with the package in DIRECTORY/node_modules
// Values of top-level fields that are numbers, booleans or texts are returned; of others, the description only.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { readFileSync } from "node:fs";
import { serve } from "../../arrow/javascript/conversation.mjs";
import { float } from "../../hdf5/javascript/cells.mjs";

const folder = resolve(process.argv[2]);
const load = createRequire(pathToFileURL(`${folder}/`));
const part = (file) => import(pathToFileURL(load.resolve(`jsroot/${file}`)));
console.log = console.error;
const [{ openFile }, { rntupleProcess, readHeaderFooter }, { TSelector }] = await Promise.all(["io", "rntuple", "tree"].map(part));
const { version } = JSON.parse(readFileSync(`${folder}/node_modules/jsroot/package.json`));

function cell(type, value) {
  if (type === "float" || type === "double") return float(value, type === "float" ? 4 : 8);
  if (type === "bool" || type === "std::string") return value;
  if (type === "char") return String(typeof value === "string" ? value.charCodeAt(0) : value & 255);
  return String(value);
}

async function fields(ntuple, builder) {
  const below = (parent) => builder.findChildFields(parent).map((field) => (
    { name: field.fieldName, type: field.typeName, fields: below(field) }));
  const made = builder.fieldDescriptors.filter((field, i) => field.parentFieldId === i).map((field) => (
    { name: field.fieldName, type: field.typeName, fields: below(field), values: [] }));
  for (const field of made) {
    if (field.fields.length) {
      delete field.values;
      field.refused = "the adapter converts no nested values";
      continue;
    }
    const selector = new TSelector();
    selector.addBranch(field.name);
    selector.Process = function () { field.values.push(cell(field.type, this.tgtobj[field.name])); };
    await rntupleProcess(ntuple, selector);
  }
  return made;
}

// What the library prints before it gives up.
async function described(ntuple) {
  const before = console.error, said = [];
  console.error = (...words) => said.push(words.map((word) => String(word?.message ?? word)).join(" "));
  try {
    const builder = await readHeaderFooter(ntuple);
    if (!builder) throw new Error(said[0] ?? "jsroot reads no header");
    return builder;
  } finally {
    console.error = before;
  }
}

async function read({ file: path }) {
  const bytes = readFileSync(path), ntuples = [];
  const file = await openFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const enter = async (directory, names) => {
    for (const key of directory.fKeys) {
      if (/^TDirectory/.test(key.fClassName)) await enter(await file.readDirectory(key.fName), [...names, key.fName]);
      if (!/RNTuple$/.test(key.fClassName)) continue;
      const ntuple = await file.readObject([...names, key.fName].join("/"));
      const builder = await described(ntuple);
      const entries = builder.clusterSummaries.reduce((sum, cluster) => sum + cluster.numEntries, 0);
      ntuples.push({ path: [...names, key.fName], entries: String(entries), fields: await fields(ntuple, builder) });
    }
  };
  await enter(file, []);
  return { ntuples };
}

await serve({ name: `jsroot ${version}`, capabilities: {
  operations: ["read"], features: [], datatypes: ["bool", "char", "integer", "float", "string"] } }, { read });
