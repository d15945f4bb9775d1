/**
 * What became of the spans that are exported; there only with --otlp-endpoint. Called by metrics.ts.
 */
import type { Registry } from 'prom-client';
import type { OtlpExporter } from '../tracing/otlp-exporter.js';
import { addCounter, addGauge } from './own-metric.js';

/** Adds what `exporter` counts to `registry`. */
export function addSpanMetrics(registry: Registry, exporter: OtlpExporter): void {
  addCounter(registry, 'otlp_spans_exported_total', 'Spans that the collector took.', () => exporter.exported);
  addCounter(
    registry,
    'otlp_spans_dropped_total',
    'Spans lost: the queue was full, or the collector did not take them.',
    () => exporter.dropped,
  );
  addCounter(registry, 'otlp_export_failures_total', 'Exports that failed.', () => exporter.failures);
  addGauge(registry, 'otlp_spans_queued', 'Spans that wait to be exported.', () => exporter.queued);
}
