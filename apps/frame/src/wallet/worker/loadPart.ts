/**
 * Loads a part of the worker. A failed load ends the worker and its task: the browser remembers the
 * failure for the life of the worker, and the next worker loads everything again.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    // Reaches the page as the worker's `error` event, which ends all waiting tasks.
    setTimeout(() => {
      throw error
    })
    return new Promise(() => {})
  }
}
