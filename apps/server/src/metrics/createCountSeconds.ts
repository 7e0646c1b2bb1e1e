import type { Histogram, Registry } from 'prom-client'

type Labels = { readonly method: string; readonly route: string; readonly status: string }

/** The counter of requests with these labels. Expects the duration of a request, in seconds. */
export type CountSeconds = (labels: Labels) => (seconds: number) => void

type Row = { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }

const name = 'latchkey_http_request_duration_seconds'
const help = 'Duration of HTTP requests by route template'
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/**
 * Registers the histogram of request durations. prom-client's own histogram checks and hashes the
 * labels each time, which takes longer than all other checks and counters of a cached response.
 */
export function createCountSeconds(registry: Registry): CountSeconds {
  const rows = new Map<string, Row>()
  const get = async () => ({
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
    values: [...rows.values()].flatMap(toValues),
  })
  const reset = () => {
    for (const row of rows.values()) Object.assign(row, { sum: 0, count: 0 }).counts.fill(0)
  }
  // The registry uses nothing else of a metric.
  registry.registerMetric({ name, get, reset } as unknown as Histogram)
  return (labels) => {
    const key = JSON.stringify([labels.method, labels.route, labels.status])
    const row = rows.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 }
    rows.set(key, row)
    return (seconds) => {
      const index = bounds.findIndex((limit) => seconds <= limit)
      if (index !== -1) row.counts[index] = (row.counts[index] ?? 0) + 1
      row.sum += seconds
      row.count++
    }
  }
}

/** Prometheus expects cumulative buckets: each bucket contains the previous ones. */
function toValues({ labels, counts, sum, count }: Row) {
  let total = 0
  const buckets = bounds.map((le, index) => {
    total += counts[index] ?? 0
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
