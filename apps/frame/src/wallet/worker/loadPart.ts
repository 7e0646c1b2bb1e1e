/**
 * Loads a part of the worker. One that does not load ends the worker, and with it the work that needed it: the browser keeps
 * the failure as long as the worker, and the next one loads everything anew.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    // Reaches the page as the worker's `error`, which ends all that waits there.
    setTimeout(() => {
      throw error
    })
    return new Promise(() => {})
  }
}
