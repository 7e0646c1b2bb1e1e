import type { App } from '@latchkey/core/internal'
import { expect, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Messages } from '../../src/index.ts'
import type { Filling } from '../gallery/fillings.ts'
import { untilStill } from '../gallery/measures.ts'
import { openSample, SamplePage } from '../gallery/openSample.tsx'
import type { Sample } from '../gallery/samples.ts'

/** Draws the view of a sample, loaded. `translate` draws it with other messages. */
export async function showSample(
  sample: Sample,
  { filling, messages }: { filling: Filling; messages?: Messages },
): Promise<{ app: App; translate: (messages: Messages) => Promise<void> }> {
  const { app, silence } = await openSample(sample, { filling })
  onTestFinished(silence)
  const { rerender } = await render(<SamplePage app={app} messages={messages} />)
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await untilStill(sample)
  return { app, translate: (next) => rerender(<SamplePage app={app} messages={next} />) }
}
