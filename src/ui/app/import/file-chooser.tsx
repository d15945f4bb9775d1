/**
 * Where a file is dropped or chosen.
 */
import { useState } from 'preact/hooks';

/** Calls `onFile` with the file that was chosen; of several dropped, the first. */
export function FileChooser({ onFile }: { readonly onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  const onOver = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the choice by keyboard
    <div
      class={`drop card ${isOver ? 'over' : ''}`}
      onDragOver={onOver}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <p class="drop-title">Drop a file here</p>
      <p class="muted">JSON lines, a JSON array, CSV or TSV, gzipped or not. It is read here, in your browser.</p>
      <label class="button">
        Choose a file
        <input
          type="file"
          class="visually-hidden"
          accept=".json,.jsonl,.ndjson,.csv,.tsv,.tab,.gz,.txt"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file !== undefined) onFile(file);
          }}
        />
      </label>
    </div>
  );
}
