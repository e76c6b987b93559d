import Type from 'typebox';

/** The delivery address of an order. The storefront fills in what it knows, so any field can be absent. */
export const DeliveryAddress = Type.Object(
  {
    country: text('The country, as the customer entered it.'),
    city: text('The city.'),
    street: text('The street.'),
    number: text('The house number.'),
    zipcode: text('The postal code.'),
    suburb: text('The district.'),
    building: text('The name of the building.'),
    floor: text('The floor.'),
    apartment: text('The apartment or office.'),
    entrance: text('The entrance or staircase.'),
    instructions: text("The customer's note for the rider.", 1000),
    latitude: Type.Optional(
      Type.Number({ minimum: -90, maximum: 90, description: 'The latitude in degrees (WGS 84).' }),
    ),
    longitude: Type.Optional(
      Type.Number({ minimum: -180, maximum: 180, description: 'The longitude in degrees (WGS 84).' }),
    ),
    formattedAddress: text('The complete address on one line.', 1000),
  },
  { description: 'The delivery address. Absent if the customer collects the order.' },
);

function text(description: string, maxLength = 200) {
  return Type.Optional(Type.String({ maxLength, description }));
}
