import { expect, test } from 'vitest'
import { looseTextFindings } from './looseTexts.ts'

const find = (jsx: string) => looseTextFindings('a.tsx', `const A = () => ${jsx}`)

test.each([
  '<p>{t("a")}{isNew && <b>new</b>}</p>',
  '<p>Amount {isNew ? <b>new</b> : null}</p>',
  '<p>{row.value}{row.worth && <small>{row.worth}</small>}</p>',
  '<p><b>1</b>{isNew && t("new")}</p>',
  '<>{isNew && `new`} <b>1</b></>',
  '<p>{isNew ? t("new") : <b>old</b>} {t("a")}</p>',
])('error: %s', (jsx) => {
  expect(find(jsx)).toEqual(['a.tsx:1: text next to a conditional element needs its own element'])
})

test.each([
  '<p>{t("a")} <b>{t("b")}</b></p>',
  '<p><span>{t("a")}</span>{isNew && <b>new</b>}</p>',
  '<p>{isNew && t("new")}</p>',
  '<p>{isNew ? t("new") : t("old")} <b>1</b></p>',
  '<p>{isNew && <b>new</b>}{" "}{isOld && <b>old</b>}</p>',
  '<p>{children}{isNew && <b>new</b>}</p>',
])('default: %s', (jsx) => {
  expect(find(jsx)).toEqual([])
})
