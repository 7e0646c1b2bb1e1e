import axe from 'axe-core'

/** What axe finds wrong in the open dialog, or on the page. */
export async function violations() {
  // A text that is still fading in has not its contrast yet.
  const fading = document
    .getAnimations()
    .filter((each) => each.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
  await Promise.allSettled(fading.map(({ finished }) => finished))
  const { violations: found } = await axe.run(
    document.querySelector('dialog[open]') ?? document.body,
    {
      rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
    },
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
