/**
 * Waits for an action that may close its own page, such as a click. Playwright reports a page that
 * closes before the action has ended as an error.
 */
export async function mayClose(action: Promise<unknown>): Promise<void> {
  try {
    await action
  } catch (error) {
    if (!/page, context or browser has been closed/.test(String(error))) throw error
  }
}
