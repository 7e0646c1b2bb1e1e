const maxParts = 2_000
const maxDepth = 20

/** Whether a value from a page is small and flat enough to show all of it to a user. */
export function isShowable(value: unknown): boolean {
  const open = [{ value, depth: 0 }]
  let count = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: part, depth } = next
    count += 1
    if (count > maxParts || depth > maxDepth) return false
    if (typeof part !== 'object' || part === null) continue
    const parts = Object.values(part)
    if (count + open.length + parts.length > maxParts) return false
    for (const inner of parts) open.push({ value: inner, depth: depth + 1 })
  }
  return true
}
