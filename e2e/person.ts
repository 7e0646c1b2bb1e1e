import { expect, type Locator, type Page } from '@playwright/test'

type Counts = { clicks: number; fields: number; mails: number }

/** How long a page takes to load on a machine that does nothing else. */
const idleLoadMs = 500

/** A person who does one thing, and whose presses, typed fields and read mails are counted. */
export function createPerson() {
  const done: Counts = { clicks: 0, fields: 0, mails: 0 }
  let waitedMs = 0
  let loadMs = idleLoadMs
  /** Measures the time in which the person waits for the machine. */
  const timed = async (work: () => Promise<unknown>) => {
    const startedAtMs = performance.now()
    await work()
    waitedMs += performance.now() - startedAtMs
  }
  return {
    async click(target: Locator) {
      done.clicks++
      await timed(() => target.click())
    },
    async fill(field: Locator, value: string) {
      done.fields++
      await timed(() => field.fill(value))
    },
    /** Does what `work` does, which is one press unless it says more. */
    async press(work: () => Promise<unknown>, { clicks = 1, fields = 0 } = {}) {
      done.clicks += clicks
      done.fields += fields
      await timed(work)
    },
    /** Counts the field into which `work` types. */
    type(work: () => Promise<unknown>) {
      return this.press(work, { clicks: 0, fields: 1 })
    },
    /** Presses a button that opens a window; returns the window. */
    async open(page: Page, target: Locator): Promise<Page> {
      const opened = page.waitForEvent('popup')
      await this.click(target)
      return opened
    },
    /** Reads a mail. */
    async read<Result>(mail: () => Promise<Result>): Promise<Result> {
      done.mails++
      return mail()
    },
    /** Waits until something is on the screen. */
    see: (shown: Locator) => timed(() => expect(shown.first()).toBeVisible()),
    /** Loads the page again until `shown` is there; the slowest of these loads counts. */
    async measureLoad(page: Page, shown: Locator) {
      const startedAtMs = performance.now()
      await page.reload()
      await expect(shown).toBeVisible()
      loadMs = Math.max(loadMs, performance.now() - startedAtMs)
    },
    /**
     * Prints the counts, and fails if a count has grown or the machine took too long. `seconds` is
     * for an idle machine.
     */
    end(job: string, { seconds: idle, ...most }: Partial<Counts> & { seconds?: number }) {
      const { clicks, fields, mails } = done
      const seconds = (waitedMs / 1_000).toFixed(1)
      const load = (loadMs / 1_000).toFixed(1)
      console.info(
        `${job}: ${clicks} clicks, ${fields} fields, ${mails} mails, ${seconds} s (a load: ${load} s)`,
      )
      for (const [name, count] of Object.entries(done))
        expect(count, `${name} of: ${job}`).toBeLessThanOrEqual(most[name as keyof Counts] ?? 0)
      // A busy machine is slow at everything. What its loads took in this run says how slow it is.
      const limitMs = (idle ?? Number.POSITIVE_INFINITY) * 1_000 * (loadMs / idleLoadMs)
      expect(waitedMs, `milliseconds of: ${job}`).toBeLessThanOrEqual(limitMs)
    },
  }
}
