import { StoreError } from "../database/store-error.ts";
import { CaptureError } from "../model/capture-error.ts";
import { ObjectError } from "../objects/object-error.ts";

/** An error in a form that can be sent between threads, which would lose its class and its code otherwise. */
export type PackedError =
  | { readonly kind: "capture"; readonly code: CaptureError["code"]; readonly message: string }
  | { readonly kind: "store"; readonly code: StoreError["code"]; readonly message: string }
  | { readonly kind: "object"; readonly code: ObjectError["code"]; readonly hash: string; readonly path: string }
  | { readonly kind: "other"; readonly error: unknown; readonly said: Readonly<Record<string, unknown>> };

export function packError(error: unknown): PackedError {
  if (error instanceof CaptureError) return { kind: "capture", code: error.code, message: error.message };
  if (error instanceof StoreError) return { kind: "store", code: error.code, message: error.message };
  if (error instanceof ObjectError) return { kind: "object", code: error.code, hash: error.hash, path: error.path };
  // Sending an error keeps its message only.
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return { kind: "other", error, said: { ...(code === undefined ? {} : { code }), ...(syscall ? { syscall } : {}) } };
}

export function unpackError(packed: PackedError): unknown {
  switch (packed.kind) {
    case "capture":
      return new CaptureError(packed.code, packed.message);
    case "store":
      return new StoreError(packed.code, packed.message);
    case "object":
      return new ObjectError(packed.code, packed.hash, packed.path);
    case "other":
      return packed.error instanceof Error ? Object.assign(packed.error, packed.said) : packed.error;
  }
}
