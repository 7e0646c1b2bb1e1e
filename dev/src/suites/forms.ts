/** A form in which a person may see a view. Sizes in CSS px. */
export type Form = {
  name: string
  width: number
  height: number
  /** Physical pixels of a CSS px. */
  scale?: number
  theme?: 'light'
  dir?: 'rtl'
  forcedColors?: 'active'
  isLong?: true
}

const phone = { width: 390, height: 844 }
const computer = { width: 1280, height: 860 }

/** The eight forms of which `npm run shots` takes pictures, and which the visual tests measure. */
export const forms: readonly Form[] = [
  { name: '1280 dark', ...computer },
  { name: '1280 light', ...computer, theme: 'light' },
  { name: '390 dark', ...phone },
  { name: '390 light', ...phone, theme: 'light' },
  { name: 'right to left', ...phone, dir: 'rtl' },
  { name: '200 percent', width: computer.width / 2, height: computer.height / 2, scale: 2 },
  { name: 'forced colors', ...phone, forcedColors: 'active' },
  { name: 'longest words', ...phone, isLong: true },
]

/** The file of the picture of a view in a form. */
export const pictureFile = (view: string, form: Form): string =>
  `${toFileName(view)}-${toFileName(form.name)}.png`

export const toFileName = (text: string): string => text.toLowerCase().replace(/\W+/g, '-')

/** The forms in which the layout differs. Of the themes, pictures are taken. */
export const layouts = forms.filter(({ theme }) => !theme || process.env.SHOTS_DIR)
