// Prints, as JSON, the shaders that three.js makes for its standard materials: node materials.mjs FOLDER_OF_THREE
// A renderer draws one mesh per material on a context that only notes sources.
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const THREE = await import(pathToFileURL(path.resolve(process.argv[2], 'build/three.module.js')));

globalThis.self ??= globalThis;
const programs = [];
const methods = {
	getContextAttributes: () => ({ alpha: true, depth: true, stencil: false, antialias: false }),
	getExtension: () => null,
	getShaderPrecisionFormat: () => ({ precision: 23, rangeMin: 127, rangeMax: 127 }),
	getParameter: (name) => {
		if (name === 'VERSION') return 'WebGL 2.0';
		if (name === 'SHADING_LANGUAGE_VERSION') return 'WebGL GLSL ES 3.00';
		if (name === 'SCISSOR_BOX' || name === 'VIEWPORT') return [0, 0, 64, 64];
		return 1024;
	},
	createShader: (type) => ({ type }),
	shaderSource: (shader, source) => { shader.source = source; },
	createProgram: () => ({ shaders: {} }),
	attachShader: (program, shader) => { program.shaders[shader.type] = shader.source; },
	linkProgram: (program) => { programs.push([program.shaders.VERTEX_SHADER, program.shaders.FRAGMENT_SHADER]); },
	getProgramParameter: (program, name) => (name === 'ACTIVE_UNIFORMS' || name === 'ACTIVE_ATTRIBUTES' ? 0 : true),
	getShaderParameter: () => true,
	getProgramInfoLog: () => '',
	getShaderInfoLog: () => '',
	getError: () => 0,
	checkFramebufferStatus: () => 'FRAMEBUFFER_COMPLETE',
	isContextLost: () => false,
};
// Names of constants stand for themselves; every other function makes an object.
const context = new Proxy({}, {
	get: (_, name) => methods[name] ?? (name === String(name).toUpperCase() ? name : () => ({})),
	has: () => true,
});
const canvas = {
	width: 64, height: 64, style: {}, addEventListener() {}, removeEventListener() {}, getContext: () => context,
};

const texture = new THREE.DataTexture(new Uint8Array(4), 1, 1);
texture.needsUpdate = true;
const maps = { map: texture, alphaMap: texture, aoMap: texture };
const lit = { ...maps, normalMap: texture, emissiveMap: texture, bumpMap: texture };
const physical = { ...lit, roughnessMap: texture, metalnessMap: texture };
const materials = {
	MeshBasicMaterial: [{}, maps, { vertexColors: true, fog: true }],
	MeshLambertMaterial: [{}, lit, { flatShading: true }],
	MeshPhongMaterial: [{}, lit, { specularMap: texture }],
	MeshStandardMaterial: [{}, physical],
	MeshPhysicalMaterial: [
		{}, physical,
		{ clearcoat: 1, sheen: 1, iridescence: 1, anisotropy: 1, transmission: 0, specularIntensityMap: texture },
	],
	MeshToonMaterial: [{}, { gradientMap: texture }],
	MeshNormalMaterial: [{}, { normalMap: texture }],
	MeshMatcapMaterial: [{}, { matcap: texture }],
	MeshDepthMaterial: [{}, { depthPacking: THREE.RGBADepthPacking }],
	PointsMaterial: [{}, { map: texture, sizeAttenuation: false }],
	LineBasicMaterial: [{}],
	LineDashedMaterial: [{}],
	SpriteMaterial: [{}, { map: texture }],
	ShadowMaterial: [{}],
};
const renderer = new THREE.WebGLRenderer({ canvas, context });
renderer.shadowMap.enabled = true;
const camera = new THREE.PerspectiveCamera();
const geometry = new THREE.BoxGeometry();
const found = [];
for (const [name, options] of Object.entries(materials)) {
	for (const [number, parameters] of options.entries()) {
		const scene = new THREE.Scene();
		scene.fog = new THREE.Fog(0, 1, 10);
		scene.add(new THREE.AmbientLight(), new THREE.HemisphereLight());
		for (const Light of [THREE.DirectionalLight, THREE.PointLight, THREE.SpotLight]) {
			const light = new Light();
			// A shadow adds the depth and distance materials to what is drawn.
			light.castShadow = name === 'MeshPhongMaterial' && number === 0;
			scene.add(light);
		}
		const material = new THREE[name](parameters);
		scene.add(name === 'SpriteMaterial' ? new THREE.Sprite(material)
			: name === 'PointsMaterial' ? new THREE.Points(geometry, material)
				: name.startsWith('Line') ? new THREE.LineSegments(geometry, material) : new THREE.Mesh(geometry, material));
		scene.children.at(-1).castShadow = scene.children.at(-1).receiveShadow = true;
		const before = programs.length;
		camera.position.z = 5;
		renderer.render(scene, camera);
		for (const [vertex, fragment] of programs.slice(before)) found.push({ name: `${name} ${number}`, vertex, fragment });
	}
}
process.stdout.write(JSON.stringify(found));
