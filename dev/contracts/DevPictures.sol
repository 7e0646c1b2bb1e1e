// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// Pictures for development chains: six motifs in many colors, metadata and image on the chain.
/// Anyone may mint.
contract DevPictures is ERC721("Dev Pictures", "dPIC") {
    using Strings for uint256;

    uint256 public totalSupply;

    /// Mints one picture to each of `to`, in this order.
    function mint(address[] calldata to) external {
        for (uint256 i = 0; i < to.length; i++) _mint(to[i], ++totalSupply);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        (string memory motif, bytes memory drawing) = _drawing(tokenId);
        bytes memory json = abi.encodePacked(
            '{"name":"', motif, " #", tokenId.toString(),
            '","description":"A picture that is drawn by its contract, for development.","image":"data:image/svg+xml;base64,',
            Base64.encode(abi.encodePacked(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="480" height="480">', drawing, "</svg>"
            )),
            '","attributes":[{"trait_type":"Motif","value":"', motif,
            '"},{"trait_type":"Hue","value":', _hue(tokenId).toString(),
            '},{"trait_type":"Edition","display_type":"number","value":', ((tokenId + 5) / 6).toString(), "}]}"
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    function _drawing(uint256 tokenId) private pure returns (string memory, bytes memory) {
        uint256 motif = (tokenId - 1) % 6;
        uint256 hue = _hue(tokenId);
        if (motif == 0) return ("Sunset", _sunset(hue));
        if (motif == 1) return ("Tide", _tide(hue));
        if (motif == 2) return ("Night", _night(hue));
        if (motif == 3) return ("Flower", _flower(hue));
        if (motif == 4) return ("Orbit", _orbit(hue));
        return ("Tiles", _tiles(hue));
    }

    function _hue(uint256 tokenId) private pure returns (uint256) {
        return (tokenId * 67) % 360;
    }

    function _hsl(uint256 hue, string memory rest) private pure returns (bytes memory) {
        return abi.encodePacked("hsl(", (hue % 360).toString(), ",", rest, ")");
    }

    function _background(bytes memory colour) private pure returns (bytes memory) {
        return abi.encodePacked('<path fill="', colour, '" d="M0 0h96v96H0z"/>');
    }

    function _sunset(uint256 hue) private pure returns (bytes memory) {
        return abi.encodePacked(
            '<linearGradient id="a" x2="0" y2="1"><stop stop-color="', _hsl(hue, "70%,42%"),
            '"/><stop offset=".7" stop-color="', _hsl(hue + 40, "90%,72%"),
            '"/></linearGradient><path fill="url(#a)" d="M0 0h96v96H0z"/><circle cx="48" cy="56" r="19" fill="#fff3d6"/><path fill="',
            _hsl(hue + 20, "45%,32%"), '" d="M0 66q24-16 50 0t46-4v34H0z"/><path fill="',
            _hsl(hue + 10, "50%,20%"), '" d="M0 80q30-14 58 0t38-2v18H0z"/>'
        );
    }

    function _tide(uint256 hue) private pure returns (bytes memory) {
        bytes memory waves = _background(_hsl(hue, "60%,90%"));
        for (uint256 i = 0; i < 5; i++) {
            waves = abi.encodePacked(
                waves, '<path fill="', _hsl(hue + i * 6, i == 0 ? "60%,78%" : i == 1 ? "60%,66%" : i == 2 ? "60%,54%" : i == 3 ? "65%,42%" : "70%,30%"),
                '" d="M0 ', (26 + i * 14).toString(), "q12-12 24 0t24 0 24 0 24 0v90H0z", '"/>'
            );
        }
        return waves;
    }

    function _night(uint256 hue) private pure returns (bytes memory) {
        return abi.encodePacked(
            _background(_hsl(hue, "55%,16%")),
            '<g fill="#fff"><circle cx="14" cy="16" r="1"/><circle cx="30" cy="34" r="1.4"/><circle cx="44" cy="12" r="1"/><circle cx="84" cy="40" r="1.2"/><circle cx="58" cy="30" r=".8"/><circle cx="10" cy="46" r=".9"/></g>',
            '<circle cx="70" cy="24" r="12" fill="#fdf4d0"/><circle cx="65" cy="21" r="11" fill="', _hsl(hue, "55%,16%"),
            '"/><path fill="', _hsl(hue + 15, "35%,38%"), '" d="M0 96l34-52 30 52z"/><path fill="',
            _hsl(hue + 25, "35%,50%"), '" d="M34 96l30-40 32 40z"/><path fill="#fff" d="M34 44l-8 12 6-3 4 5 3-5 3 3z"/>'
        );
    }

    function _flower(uint256 hue) private pure returns (bytes memory) {
        bytes memory petals = abi.encodePacked(_background(_hsl(hue + 150, "40%,88%")), '<g fill="', _hsl(hue, "75%,60%"), '">');
        for (uint256 i = 0; i < 8; i++) {
            petals = abi.encodePacked(petals, '<ellipse cx="48" cy="26" rx="9" ry="18" transform="rotate(', (i * 45).toString(), ' 48 48)"/>');
        }
        return abi.encodePacked(petals, '</g><circle cx="48" cy="48" r="12" fill="', _hsl(hue + 60, "90%,55%"), '"/>');
    }

    function _orbit(uint256 hue) private pure returns (bytes memory) {
        return abi.encodePacked(
            _background(_hsl(hue, "30%,12%")), '<g fill="none" stroke="', _hsl(hue, "40%,45%"),
            '"><ellipse cx="48" cy="48" rx="40" ry="14"/><ellipse cx="48" cy="48" rx="40" ry="14" transform="rotate(60 48 48)"/><ellipse cx="48" cy="48" rx="40" ry="14" transform="rotate(120 48 48)"/></g><circle cx="48" cy="48" r="11" fill="',
            _hsl(hue + 30, "90%,62%"), '"/><circle cx="88" cy="48" r="4" fill="', _hsl(hue + 180, "80%,70%"),
            '"/><circle cx="28" cy="83" r="3" fill="', _hsl(hue + 90, "80%,70%"), '"/>'
        );
    }

    function _tiles(uint256 hue) private pure returns (bytes memory) {
        bytes memory tiles = _background("#fff");
        for (uint256 i = 0; i < 16; i++) {
            bytes memory place = abi.encodePacked('transform="translate(', ((i % 4) * 24).toString(), " ", ((i / 4) * 24).toString(), ')"');
            tiles = abi.encodePacked(
                tiles, '<path ', place, ' fill="', _hsl(hue + i * 23, "65%,58%"),
                (hue + i * i) % 3 == 0 ? '" d="M0 0h24a24 24 0 0 1-24 24z"/>' : (hue + i) % 2 == 0 ? '" d="M0 0h24v24z"/>' : '" d="M24 24H0A24 24 0 0 1 24 0z"/>'
            );
        }
        return tiles;
    }
}
