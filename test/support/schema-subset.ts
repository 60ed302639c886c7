import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
} from 'graphql'

/** What a schema of ours says and the vendor's does not, or says otherwise; empty where ours is a part of it. */
export function notIn(vendor: GraphQLSchema, ours: GraphQLSchema): string[] {
  const problems: string[] = []
  const same = (what: string, one: unknown, other: unknown) => {
    if (String(one) !== String(other)) problems.push(`${what} is ${other ?? 'unknown'}, not ${one}`)
  }
  const has = (what: string, all: readonly string[], some: readonly string[]) =>
    problems.push(...some.filter((name) => !all.includes(name)).map((name) => `${what} has no ${name}`))
  for (const type of Object.values(ours.getTypeMap())) {
    const theirs = vendor.getType(type.name)
    if (isIntrospectionType(type)) continue
    if (!theirs) problems.push(`there is no ${type.name}`)
    else if (isEnumType(type) && isEnumType(theirs)) {
      const names = (values: readonly { name: string }[]) => values.map(({ name }) => name)
      has(type.name, names(theirs.getValues()), names(type.getValues()))
    } else if (isUnionType(type) && isUnionType(theirs)) {
      has(type.name, theirs.getTypes().map(String), type.getTypes().map(String))
    } else if (isInputObjectType(type) && isInputObjectType(theirs)) {
      for (const field of Object.values(type.getFields()))
        same(`${type.name}.${field.name}`, field.type, theirs.getFields()[field.name]?.type)
    } else if ((isObjectType(type) || isInterfaceType(type)) && (isObjectType(theirs) || isInterfaceType(theirs))) {
      has(type.name, theirs.getInterfaces().map(String), type.getInterfaces().map(String))
      for (const field of Object.values(type.getFields())) {
        const at = `${type.name}.${field.name}`
        const known = theirs.getFields()[field.name]
        same(at, field.type, known?.type)
        for (const { name, type: wanted } of field.args)
          same(`${at}(${name})`, wanted, known?.args.find((one) => one.name === name)?.type)
      }
    } else if (theirs.constructor !== type.constructor) problems.push(`${type.name} is something else`)
  }
  return problems
}
