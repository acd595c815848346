/** The program could not be run, or did not write a report; the message is what it printed. */
export class HepcheckError extends Error {}
/** An option or its value is not accepted. */
export class UsageError extends HepcheckError {}

export type Claim = "conformant" | "accepted" | "not conformant" | "not decided";
export type Verdict = "pass" | "fail" | "not-applicable" | "not-checked";
export type Severity = "none" | "info" | "warning" | "error";

export interface Finding {
  object: string;
  attribute?: string;
  where?: string;
  severity: Severity;
  observed: string;
  expected: string;
  fix: string;
  /** A query that loses or invents rows because of it. */
  witness?: string;
  /** Further places of the same kind that are not listed. */
  more?: number;
  known?: true;
}

export interface ClauseResult {
  id: string;
  section: string;
  level: string;
  severity: Severity;
  verdict: Verdict;
  reason: string | null;
  examined: number;
  findings: Finding[];
  [key: string]: unknown;
}

export interface Subject {
  path: string;
  kind?: string;
  spec?: string;
  claim: Claim;
  reason: string | null;
  notes: string[];
  clauses: ClauseResult[];
  [key: string]: unknown;
}

export interface FileReport {
  path: string;
  /** Why it could not be examined. */
  error: string | null;
  unreadable: { object: string; reason: string }[];
  tables: Subject[];
  [key: string]: unknown;
}

/** The JSON report; `hepcheck/report.schema.json` has every key. */
export interface Report {
  hepcheck: string;
  spec: string;
  claim: Claim;
  files: FileReport[];
  [key: string]: unknown;
}

export interface Options {
  /** Specifications or formats, such as "hep001" or "arrow-columnar-1.5". */
  spec?: string | string[];
  only?: string | string[];
  skip?: string | string[];
  depth?: "structure" | "full";
  maxFindings?: number;
  memoryLimit?: string | number;
  limit?: string | string[];
  jobs?: number;
  baseline?: string;
  /** A settings file; without it none is used. */
  config?: string;
  strict?: boolean;
  allowNoTables?: boolean;
  allowUnchecked?: boolean;
  policy?: "none" | "untrusted";
  stamp?: boolean;
  /** Cancels the run. */
  signal?: AbortSignal;
  /** Hears of the progress: bytes of values that were read and that are expected so far, and the number of the file. */
  onProgress?: (progress: { done: number; expected: number; file: number; files: number }) => void;
}

/** Validates paths, the bytes of a file, or a stream of bytes. */
export function validate(
  input: string | URL | (string | URL)[] | Uint8Array | AsyncIterable<Uint8Array>, options?: Options): Promise<Report>;
