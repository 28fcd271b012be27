// A drawing of the cube in perspective, as SVG, also during a move. The layers across the axis of
// the move are convex and divided by planes, so they are drawn from the farthest to the nearest,
// and of each layer the faces that are seen from the eye.

import { FACELETS, rotate } from "./cube.js";

/** The eye: its longitude right of the front, its latitude, and its distance from the center. */
const LONGITUDE = Math.PI / 6;
const LATITUDE = (35 * Math.PI) / 180;
const DISTANCE = 15.6;
const EYE = [
  DISTANCE * Math.cos(LATITUDE) * Math.sin(LONGITUDE),
  DISTANCE * Math.sin(LATITUDE),
  DISTANCE * Math.cos(LATITUDE) * Math.cos(LONGITUDE),
];

/** Half of the width of a facelet; the rest is the body between two facelets. */
const HALF = 0.43;

/** Room for corners that stick out during a move. */
const VIEW_BOX = "-2.75 -2.75 5.5 5.5";
const SVG = "http://www.w3.org/2000/svg";

/** Turns the cube over: down is up, left in front, and back on the right. An involution. */
const turnOver = ([x, y, z]) => [-z, -y, -x];

const dot = (a, b) => a.reduce((sum, part, axis) => sum + part * b[axis], 0);

/** Returns the point of the drawing, right and down of its center. */
function project([x, y, z]) {
  const ahead = Math.sin(LONGITUDE) * x + Math.cos(LONGITUDE) * z;
  const depth = DISTANCE - Math.cos(LATITUDE) * ahead - Math.sin(LATITUDE) * y;
  const scale = DISTANCE / depth;
  return [
    scale * (Math.cos(LONGITUDE) * x - Math.sin(LONGITUDE) * z),
    scale * (Math.sin(LATITUDE) * ahead - Math.cos(LATITUDE) * y),
  ];
}

/** Returns the corners of a rectangle across `normal`; `halves` are half of its extent by axis. */
function corners(center, normal, halves) {
  const [first, second] = [0, 1, 2].filter((axis) => normal[axis] === 0);
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map((signs) => {
    const corner = [...center];
    corner[first] += signs[0] * halves[first];
    corner[second] += signs[1] * halves[second];
    return corner;
  });
}

const NORMALS = [0, 1, 2].flatMap((axis) =>
  [1, -1].map((side) => [0, 1, 2].map((other) => (other === axis ? side : 0))),
);

/** Creates an element of SVG. */
export function svgElement(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Creates an empty drawing. */
export function newDrawing() {
  return svgElement("svg", { class: "cube", viewBox: VIEW_BOX, role: "img" });
}

/**
 * Draws the cube; of a move, the part up to `angle`. A path has its face as its class, so that
 * style sheets color it.
 */
export function draw(svg, facelets, { isTurnedOver, axis = 1, layers = [], angle = 0 }) {
  const eye = isTurnedOver ? turnOver(EYE) : EYE;
  const shapes = [];
  const add = (className, rectangle, inPlace) => {
    const points = rectangle.map((corner) => {
      const point = inPlace(corner);
      return project(isTurnedOver ? turnOver(point) : point);
    });
    const d = `M${points.map((point) => point.map((part) => part.toFixed(3)).join(" ")).join("L")}Z`;
    shapes.push(svgElement("path", { class: className, d }));
  };
  const fromFarthest = eye[axis] > 0 ? [-1, 0, 1] : [1, 0, -1];
  for (const layer of fromFarthest) {
    const turned = layers.includes(layer) ? angle : 0;
    const inPlace = (vector) => rotate(vector, axis, turned);
    const halves = [1.5, 1.5, 1.5];
    halves[axis] = 0.5;
    for (const normal of NORMALS) {
      const center = normal.map((part, each) => part * halves[each]);
      center[axis] += layer;
      const toEye = inPlace(center).map((part, each) => eye[each] - part);
      if (dot(inPlace(normal), toEye) <= 0) continue;
      add("body", corners(center, normal, halves), inPlace);
      for (const [index, { piece, normal: own }] of FACELETS.entries()) {
        if (piece[axis] !== layer || dot(own, normal) !== 1) continue;
        const middle = piece.map((part, each) => part + own[each] / 2);
        add(facelets[index], corners(middle, own, [HALF, HALF, HALF]), inPlace);
      }
    }
  }
  svg.replaceChildren(...shapes);
}
